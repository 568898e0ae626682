// What the parts of the watches' management stand on, and what several of them do.
import type { Clock } from "../../core/clock.ts";
import { UserError } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import type { WatchRecord, WatchesTable } from "../../storage/watches-table.ts";
import type { Messenger } from "../../core/ports.ts";
import type { Stations } from "../stations/stations.ts";
import { mayManage } from "./check-target.ts";
import { isKeptWatch } from "./read-watch.ts";
import type { PresentWelcome, WatchActor, Watches } from "./watches.ts";

/** What the management of watches stands on. */
export interface WatchesDependencies {
  readonly table: WatchesTable;
  readonly messenger: Pick<Messenger, "check" | "dm" | "mayManage">;
  readonly stations: Pick<Stations, "byCrs">;
  readonly find: Watches["find"];
  readonly welcome: PresentWelcome;
  readonly clock: Clock;
  readonly log: Log;
}

/** The most active and paused watches of a person, and of the channels of a server. */
export const WATCH_LIMITS = { perOwner: 20, perGuild: 50 } as const;

/** Gives an active or paused watch that is the person's to manage. Throws a UserError for any other. */
export async function requireWatch(
  { table, messenger }: Pick<WatchesDependencies, "table" | "messenger">,
  { userId, guildId }: WatchActor,
  id: string,
): Promise<WatchRecord> {
  const record = await table.get(id);
  if (!record || !isKeptWatch(record)) {
    throw new UserError("That watch is over, or was stopped. `/watch list` shows those you have.");
  }
  const isHere = record.guildId !== undefined && record.guildId === guildId;
  if (record.ownerId !== userId && !(isHere && (await mayManage(messenger, record.guildId, userId)))) {
    throw new UserError(
      "That watch is somebody else's. You can make one of your own with `/watch train` or `/watch commute`.",
    );
  }
  return record;
}

/** Thrown where a person, or a server, has as many watches as it may. */
export function tooManyWatches({ guildId }: Pick<WatchRecord, "guildId">): UserError {
  return new UserError(
    guildId === undefined
      ? `You have ${WATCH_LIMITS.perOwner} watches, which is as many as I can keep for you. Stop one with \`/watch list\` first.`
      : `The channels of this server have ${WATCH_LIMITS.perGuild} watches, which is as many as I can keep for them. Stop one with \`/watch list\` first.`,
  );
}

/** Thrown where two people change a watch at once. */
export function changedMeanwhile(): UserError {
  return new UserError("That watch has just changed. Please look at `/watch list` and try again.");
}

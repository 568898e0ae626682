// A board's settings as they are kept, and the rules for them that need no Discord.
import { z } from "zod";
import { LRUCache } from "lru-cache";
import { growingTo } from "../core/growing-cache.ts";
import { UserError } from "../core/errors.ts";
import { refuseOutsideLondon } from "../rail/departures.ts";
import { PLACE_CODE, isLondonCode } from "../rail/london.ts";
import type { Stations } from "../rail/stations.ts";
import {
  type BoardPlace,
  type BoardSettings,
  MOST_CALLING_AT,
  type PauseReason,
  type Subscription,
} from "./boards.ts";
import { checkTimes } from "../time/parse-schedule.ts";
import { scheduleSchema } from "../time/schedule.ts";
import { nextSlot } from "../time/slots.ts";
import type { Messenger } from "../core/ports.ts";
import { checkChannel } from "../delivery/check-channel.ts";
import type { BoardRecord } from "./boards-table.ts";
import type { Log } from "../core/log.ts";

/** A board has at most this many rows. */
const MOST_ROWS = 10;
/** Nobody walks to a station for longer. */
export const MOST_WALK_MINUTES = 60;
/** A board can be narrowed to this many platforms; more are as good as all. */
const MOST_PLATFORMS = 8;
/** Longer names of platforms are not real. */
const LONGEST_PLATFORM = 6;

const crs = z.string().regex(/^[A-Z]{3}$/);

/**
 * Reads settings that were kept. What boards of earlier versions do not have is as it was for them; fields of later
 * ones are dropped. Refuses everything else that is not as {@link BoardSettings} says.
 */
const boardSettingsSchema: z.ZodType<BoardSettings> = z.object({
  kind: z.enum(["departures", "arrivals"]),
  station: z.string().regex(PLACE_CODE),
  callingAt: z.array(crs).max(MOST_CALLING_AT).default([]),
  callingAtAll: z.boolean().default(false),
  operator: z.string().min(1).optional(),
  platforms: z.array(z.string().min(1).max(LONGEST_PLATFORM)).max(MOST_PLATFORMS).default([]),
  transport: z.enum(["all", "trains", "buses"]).default("all"),
  walkMinutes: z.int().min(0).max(MOST_WALK_MINUTES).default(0),
  rows: z.int().min(1).max(MOST_ROWS),
  look: z.enum(["picture", "text"]).default("picture"),
  mode: z.enum(["edit", "replace", "post"]),
  publish: z.boolean().default(false),
  schedule: scheduleSchema,
});

/** Reads settings as JSON. Throws for anything else. */
export function parseBoardSettings(json: string): BoardSettings {
  return boardSettingsSchema.parse(JSON.parse(json));
}

/** Throws a UserError that says what to change in settings with which no board can run. */
export function checkBoardSettings(settings: BoardSettings, stations: Stations, nowMs: number): void {
  checkStations(settings, stations);
  checkNumbers(settings);
  checkPlatforms(settings);
  if (settings.publish && settings.mode === "edit") {
    throw new UserError(
      "Only new messages can be published, and this board edits the same one. Set `mode` to **A new message each time**, or leave `publish` off.",
    );
  }
  checkTimes(settings.schedule);
  if (nextSlot(settings.schedule, nowMs) === undefined) {
    throw new UserError("On that schedule the board would never appear. Please choose other times or days.");
  }
}

function checkStations({ kind, station, callingAt, transport }: BoardSettings, stations: Stations): void {
  requireStations([station, ...callingAt], stations);
  const [place, via] = [station, ...callingAt].map((code) => stations.byCrs(code));
  if (place) {
    refuseOutsideLondon({ kind, station: place, via });
  }
  if (isLondonCode(station) && transport !== "all") {
    throw new UserError("Replacement buses aren't listed for London's lines. Leave `only` out.");
  }
  const name = (code: string): string => stations.byCrs(code)?.name ?? code;
  if (callingAt.includes(station)) {
    throw new UserError(
      `This is already a board for ${name(station)}. To filter it, choose another station.`,
    );
  }
  const twice = callingAt.find((code, index) => callingAt.indexOf(code) !== index);
  if (twice !== undefined) {
    throw new UserError(`You've named ${name(twice)} twice. Name each station once.`);
  }
  if (callingAt.length > MOST_CALLING_AT) {
    throw new UserError(`You can filter by up to ${MOST_CALLING_AT} stations. Leave some out.`);
  }
}

/** Throws a UserError for a code that is not on the list of stations, or no longer. */
export function requireStations(codes: readonly string[], stations: Pick<Stations, "byCrs">): void {
  const unknown = codes.find((code) => !stations.byCrs(code));
  if (unknown !== undefined) {
    throw new UserError(`The station ${unknown} isn't on my list any more. Choose another one.`);
  }
}

function checkNumbers({ rows, walkMinutes }: BoardSettings): void {
  if (!Number.isInteger(rows) || rows < 1 || rows > MOST_ROWS) {
    throw new UserError(`A board can show 1 to ${MOST_ROWS} trains. Type a number in that range.`);
  }
  if (!Number.isInteger(walkMinutes) || walkMinutes < 0 || walkMinutes > MOST_WALK_MINUTES) {
    throw new UserError(
      `Your walk to the station can take up to ${MOST_WALK_MINUTES} minutes. Type a number from 0 to ${MOST_WALK_MINUTES}.`,
    );
  }
}

function checkPlatforms({ platforms }: BoardSettings): void {
  if (platforms.length > MOST_PLATFORMS) {
    throw new UserError(
      `You can filter by up to ${MOST_PLATFORMS} platforms. Leave some out, or name none to see them all.`,
    );
  }
  if (platforms.some((platform) => platform === "" || platform.length > LONGEST_PLATFORM)) {
    throw new UserError("Type platforms like 3, 4a.");
  }
}

const OTHERWISE = "choose another channel with `channel`";

/** `userId`: who chose the place. Throws a UserError that says what is in the way and how to clear it. */
export async function checkPlace(
  messenger: Pick<Messenger, "check">,
  place: BoardPlace & { readonly userId?: string },
  { publish }: Pick<BoardSettings, "publish">,
): Promise<void> {
  const words = { act: "keep a board", otherwise: OTHERWISE, withFiles: true };
  const { kind } = await checkChannel(messenger, place, words);
  if (publish && kind !== "announcement") {
    throw new UserError(
      `Messages can only be published from an announcement channel, and <#${place.channelId}> isn't one. Leave \`publish\` off, or ${OTHERWISE}.`,
    );
  }
}

/** Reads a record. Throws where its settings are none: that is a bug. */
export function readSubscription(record: BoardRecord): Subscription {
  const { id, guildId, channelId, createdBy, state, changes, nextSlotMs, missed, lastSentMs, history } =
    record;
  return {
    id,
    guildId,
    channelId,
    createdBy,
    settings: parseBoardSettings(record.settings),
    state,
    changes,
    pausedBecause: REASONS.find((reason) => reason === record.pausedBecause),
    nextSlotMs: state === "active" ? nextSlotMs : undefined,
    missed,
    lastSentMs,
    history,
  };
}

const REASONS: readonly PauseReason[] = ["channel-gone", "not-allowed", "station-closed"];

/** Whether people see it: neither a draft nor removed. */
export function isKept({ state }: Pick<BoardRecord, "state">): boolean {
  return state === "active" || state === "paused";
}

export type ReadSettings = ReturnType<typeof createSettingsReader>;

/** About a kilobyte each. With fewer than a bot has, all would be parsed again each minute. */
const MOST_KEPT = 20_000;

/**
 * Reads the settings of thousands of boards again and again, but parses each text once. Gives `undefined` for what cannot
 * be read, which is a bug and is logged once.
 */
export function createSettingsReader(log: Log) {
  const known = new LRUCache<string, { readonly settings: BoardSettings | undefined }>(growingTo(MOST_KEPT));

  function parse({ id, settings }: Pick<BoardRecord, "id" | "settings">): BoardSettings | undefined {
    try {
      return parseBoardSettings(settings);
    } catch (error) {
      log.error({ error, board: id }, "board settings unreadable; board stopped");
      return undefined;
    }
  }

  return (board: Pick<BoardRecord, "id" | "settings">): BoardSettings | undefined => {
    const entry = known.get(board.settings) ?? { settings: parse(board) };
    known.set(board.settings, entry);
    return entry.settings;
  };
}

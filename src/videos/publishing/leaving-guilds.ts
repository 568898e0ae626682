// While the bot is away from a server, nobody there could stop publications, so those that are not public yet
// are cancelled, on the service too. The row keeps texts, time and file, and if the bot comes back in time,
// its message offers to publish again. In a server's own account, which the bot may not use any more, what is
// scheduled is the server's responsibility.
import { ServiceError } from "../../core/errors.ts";
import type { PublicationChanges, PublicationRecord } from "../publications-table.ts";
import type { GuildPublications } from "../../core/ports.ts";
import { createUpdatePublication } from "./change-publication.ts";
import { enter, mustWithdraw, stopUpload } from "./states.ts";
import type { PublishDependencies } from "./publish.ts";

/** More than any server has in progress. */
const MAX_PUBLICATIONS = 1_000;

const UNDER_WAY = ["uploading", "processing", "scheduled", "outcome-unknown"] as const;

export function createGuildPublications(deps: PublishDependencies): GuildPublications {
  const { publications, accounts, client, clock, log } = deps;
  const update = createUpdatePublication(deps);

  /** Returns publications that are not public, or may not be. */
  function underWay(guildId: string): Promise<readonly PublicationRecord[]> {
    return publications.ofGuild(guildId, UNDER_WAY, { limit: MAX_PUBLICATIONS });
  }

  /** If its outcome is unknown, it may be public once its time has come. */
  function waitsAtService({ state, account, publishAtMs = 0 }: PublicationRecord): boolean {
    const mayBeOut = state === "outcome-unknown" && publishAtMs <= clock.now();
    return account === "operator" && state !== "uploading" && !mayBeOut;
  }

  function leave(record: PublicationRecord): PublicationChanges | undefined {
    const { state, stopReason, pendingWrite } = record;
    if (state === "uploading") {
      return stopUpload(record, clock.now(), "left");
    }
    if (stopReason === "left" || !waitsAtService(record)) {
      return undefined;
    }
    if (state === "outcome-unknown") {
      return pendingWrite && { ...enter(record, "uploading", clock.now()), stopReason: "left" };
    }
    return { stopReason: "left", notBeforeMs: undefined, nextAtMs: clock.now() };
  }

  function comeBack(record: PublicationRecord): PublicationChanges | undefined {
    const nowMs = clock.now();
    const { state, stopReason, messageId } = record;
    if (stopReason !== "left") {
      return undefined;
    }
    // The message could not be edited while the bot was away, so it is updated now.
    const shown = messageId !== undefined && { shownHash: undefined };
    const isAtService = state === "processing" || state === "scheduled";
    if (state !== "cancelled" && !(isAtService && mustWithdraw(record))) {
      return { stopReason: undefined, nextAtMs: nowMs, ...shown };
    }
    // If there is no message, it may be posted from now on.
    return {
      stopReason: "returned",
      nextAtMs: nowMs,
      ...(shown || { shownHash: undefined, postingSinceMs: nowMs }),
    };
  }

  async function alterAll(records: readonly PublicationRecord[], decide: typeof leave): Promise<void> {
    for (const { id } of records) {
      await update(id, decide);
    }
  }

  return {
    left: async (guildId) => alterAll(await underWay(guildId), leave),
    returned: async (guildIds) => alterAll(await publications.stoppedByLeaving(new Set(guildIds)), comeBack),
    async erasing(guildId, isStillDue) {
      const account = await accounts.byKey(guildId, "operator");
      for (const { id, videoId } of (await underWay(guildId)).filter(waitsAtService)) {
        if (!(await isStillDue())) {
          return false;
        }
        try {
          if (account !== undefined && videoId !== undefined) {
            await client.delete(account.account, videoId);
          }
        } catch (error) {
          if (!(error instanceof ServiceError)) {
            throw error;
          }
          if (error.kind !== "not-found") {
            log.warn({ error, publication: id }, "video deletion failed, will retry");
            return false;
          }
        }
      }
      return true;
    },
  };
}

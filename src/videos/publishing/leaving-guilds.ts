// What becomes of a server's publications as the bot is removed from it, and comes back. Nobody there could stop them
// any more.
//
// What is being sent is cancelled, at the service too. What the service has, or turns out to have, but has not published
// yet is put off there, not deleted, since a kick may be a mistake: by longer than the server is remembered. A server
// that comes back in time has it put back to its own time; where that has passed, it stays put off, and its message says
// until when. One that is erased has it deleted at the service first. What nobody knew whether the service has it is
// looked for once more. Only what is out, or goes out at once, stays: that is as late as for anybody who cancels. All of
// it is about the bot's own account: a server's own cannot be used once the bot has left, and what waits there is
// theirs to look after.
import { ServiceError } from "../../core/errors.ts";
import type { PublicationChanges, PublicationRecord } from "../publications-table.ts";
import type { GuildPublications } from "../../core/ports.ts";
import { type AlterPublication, createAlterPublication } from "./change-publication.ts";
import { type StoredProblem, formatProblem, lasting, parseProblem } from "./stored-problem.ts";
import { LEFT_NOTE, withoutUpload } from "./judge-failure.ts";
import { enter } from "./states.ts";
import type { PublishDependencies } from "./publish-dependencies.ts";
import type { UsableAccount } from "../accounts/video-accounts.ts";
import type { PublicationLease } from "./publication-lease.ts";
import { EARLIEST_MS } from "./parse-publish-at.ts";
import type { PublishRunnerDependencies } from "./publish-dependencies.ts";

/** More than anybody has under way. */
const MOST = 1_000;

const UNDER_WAY = ["uploading", "processing", "scheduled", "outcome-unknown"] as const;

export function createGuildPublications(
  deps: Omit<PublishDependencies, "guilds" | "knownGuilds">,
): GuildPublications {
  const { publications, accounts, client, runner, clock, log } = deps;
  const alter = createAlterPublication(deps);

  /** What is not out yet, or may not be. */
  function underWay(guildId: string): Promise<readonly PublicationRecord[]> {
    return publications.ofGuild(guildId, UNDER_WAY, { limit: MOST });
  }

  /** As far as anybody knows; also where its own time has passed since it was put off. */
  function waitsAtService(record: PublicationRecord): boolean {
    const { state, account, publishAtMs = 0 } = record;
    const { away } = parseProblem(record);
    const isPostponed = away === "away" || away === "returning";
    return state !== "uploading" && account === "operator" && (isPostponed || publishAtMs > clock.now());
  }

  function mark(record: PublicationRecord, away: StoredProblem["away"]): PublicationChanges {
    const problem = formatProblem({ ...parseProblem(record), notBeforeMs: undefined, away });
    return { problem, nextAtMs: clock.now() };
  }

  function leave(record: PublicationRecord): PublicationChanges | undefined {
    if (record.state === "uploading") {
      return withoutUpload(record, clock.now(), "left");
    }
    const { away, stopReason } = parseProblem(record);
    if (record.state === "outcome-unknown") {
      const isToLook = waitsAtService(record) && record.pendingWrite !== undefined && stopReason !== "left";
      return isToLook
        ? { ...enter(record, "uploading", clock.now()), problem: formatProblem({ stopReason: "left" }) }
        : undefined;
    }
    return waitsAtService(record) && away !== "leaving" && away !== "away"
      ? mark(record, "leaving")
      : undefined;
  }

  function comeBack(record: PublicationRecord): PublicationChanges | undefined {
    const kept = parseProblem(record);
    if (kept.stopReason === "left" && (record.state === "uploading" || record.state === "outcome-unknown")) {
      return { problem: formatProblem({ ...kept, stopReason: undefined }) };
    }
    return kept.away === undefined || kept.away === "returning" ? undefined : mark(record, "returning");
  }

  async function alterAll(
    records: readonly PublicationRecord[],
    decide: Parameters<AlterPublication>[1],
  ): Promise<void> {
    for (const { id } of records) {
      const { isChanged } = await alter(id, decide, (after) =>
        after.state === "cancelled" ? [{ act: after.state, note: LEFT_NOTE }] : [],
      );
      if (isChanged) {
        runner.stop(id);
        runner.nudge();
      }
    }
  }

  return {
    left: async (guildId) => alterAll(await underWay(guildId), leave),
    async returned(guildIds) {
      const present = new Set(guildIds);
      const troubled = await publications.withProblem(UNDER_WAY);
      await alterAll(
        troubled.filter((record) => present.has(record.guildId) && comeBack(record) !== undefined),
        comeBack,
      );
    },
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

// Postpones at the service what it is to publish for a server that the bot was removed from, and puts it back when the
// server is there again: see leaving-guilds.ts. Each is asked for once more where its answer was lost, which does no harm.

const DAY_MS = 86_400_000;
/** Within what the service takes, and later than any server is remembered. */
const POSTPONE_MS = 14 * DAY_MS;
/** By then the server is erased, and its videos with it, also where the service could not be reached for days. */
const FAR_ENOUGH_MS = 12 * DAY_MS;

export function createPostpone({ client, clock }: Pick<PublishRunnerDependencies, "client" | "clock">) {
  async function leave(lease: PublicationLease, account: UsableAccount, atMs: number): Promise<void> {
    const nowMs = clock.now();
    const { videoId = "" } = lease.record;
    const isNear = atMs < nowMs + FAR_ENOUGH_MS;
    if (isNear) {
      await client.update(account.account, videoId, { publishAtMs: nowMs + POSTPONE_MS });
    }
    // The row keeps the time that people chose.
    await lease.change(
      "scheduled",
      (record) => {
        const isStill = parseProblem(record).away === "leaving";
        return { problem: formatProblem({ ...lasting(record), ...(isStill && { away: "away" }) }) };
      },
      () => (isNear ? { act: "put-off" } : undefined),
    );
  }

  async function comeBack(
    lease: PublicationLease,
    account: UsableAccount,
    atMs: number | undefined,
  ): Promise<void> {
    const { videoId = "", publishAtMs = atMs } = lease.record;
    const isInTime = publishAtMs !== undefined && publishAtMs >= clock.now() + EARLIEST_MS;
    if (isInTime && publishAtMs !== atMs) {
      await client.update(account.account, videoId, { publishAtMs });
    }
    await lease.change(
      "scheduled",
      (record) => {
        const isStill = parseProblem(record).away === "returning";
        const away = isStill ? undefined : parseProblem(record).away;
        const problem = formatProblem({ ...lasting(record), away });
        return { problem, publishAtMs: isInTime ? publishAtMs : (atMs ?? publishAtMs) };
      },
      () => (isInTime && publishAtMs !== atMs ? { act: "put-back" } : undefined),
    );
  }

  /** `atMs`: when the service means to publish it. Throws as the client does, and as the lease. */
  return (lease: PublicationLease, account: UsableAccount, atMs: number | undefined): Promise<void> =>
    parseProblem(lease.record).away === "returning"
      ? comeBack(lease, account, atMs)
      : leave(lease, account, atMs ?? 0);
}

// Claims due publications, works on them, and stores when each is due again. Many processes may run it.
import { EventEmitter } from "node:events";
import { waitAtMost } from "../../core/clock.ts";
import { createRuns } from "../../core/runs.ts";
import type { PublicationRecord, PublicationsTable } from "../publications-table.ts";
import type { UploadMethod, VideoClient } from "../client/video-client.ts";
import type { Attachments } from "../../core/attachments.ts";
import type { Platform } from "../../core/ports.ts";
import type { VideoAccounts } from "../accounts/video-accounts.ts";
import type { VideoRules } from "../settings/video-rules.ts";
import { createFollow, createCleanUp } from "./follow.ts";
import {
  ClaimLostError,
  type PublicationClaim,
  type ClaimedPublication,
  createPublicationClaims,
  createClaimedPublication,
} from "./claimed-publication.ts";
import { createMessageUpdater, earlier } from "./publication-messages.ts";
import type { PresentPublication } from "./publish.ts";
import { createReconcileStep } from "./reconcile.ts";
import { dueAt, sendsBytes } from "./states.ts";
import { createUploadStep } from "./upload.ts";

/** The most due rows that one query reads; others wait in the database. */
const MAX_DUE = 1_000;
/** Publications worked on at once, not counting uploads. Each sends requests to the service or to Discord. */
const MAX_AT_ONCE = 20;
/** How long a run of the job waits for work that it started, other than uploads. */
const RUN_MS = 4_000;
/** A publication that is due within this time gets a timer; the job finds those that are due later. */
const WAKE_WITHIN_MS = 60_000;
const CLOSE_MS = 10_000;

export interface PublishRunnerDependencies extends Pick<Platform, "messenger" | "clock" | "log"> {
  readonly publications: PublicationsTable;
  readonly accounts: Pick<VideoAccounts, "of" | "byKey" | "toPublish" | "canLink" | "markBroken">;
  readonly rules: VideoRules;
  readonly client: VideoClient;
  readonly sources: Pick<Attachments, "readStart" | "source">;
  readonly present: PresentPublication;
  /** `auto` decides by the file's size. */
  readonly upload: "auto" | UploadMethod;
}

export function createPublishRunner(deps: PublishRunnerDependencies) {
  const { publications, clock, log } = deps;
  const updateMessages = createMessageUpdater(deps);
  const upload = createUploadStep({ ...deps, show: updateMessages });
  const reconcile = createReconcileStep(deps);
  const follow = createFollow(deps);
  const cleanUp = createCleanUp(deps);
  const slots = createUploadSlots();
  const claims = createPublicationClaims(deps);
  const { underWay } = claims;
  /** Emits a publication's id when this process has updated its messages, but not when another process has. */
  const shown = new EventEmitter().setMaxListeners(0);
  const claimedById = new Map<string, ClaimedPublication>();
  const wakeTimers = new Set<() => void>();
  /** Ended timers, with the time for which each was released: the clock may not have reached it. */
  const woken = new Map<string, number>();
  const closing = new AbortController();
  const runs = createRuns(startDue);

  function wake(id: string, atMs: number | undefined): void {
    const waitMs = atMs === undefined ? Infinity : atMs - clock.now();
    if (atMs === undefined || waitMs <= 0 || waitMs > WAKE_WITHIN_MS || closing.signal.aborted) {
      return;
    }
    const cancel = clock.after(waitMs, () => {
      wakeTimers.delete(cancel);
      woken.set(id, atMs);
      nudge();
    });
    wakeTimers.add(cancel);
  }

  async function step(claimed: ClaimedPublication): Promise<void> {
    const { record } = claimed;
    const { state, pendingWrite, revision } = record;
    if (state === "uploading") {
      await (pendingWrite === undefined ? upload : reconcile)(claimed, closing.signal);
    } else {
      const isAtService = state === "processing" || state === "scheduled";
      await claimed.change(state, await (isAtService ? follow : cleanUp)(record));
    }
    if (claimed.record.revision === revision) {
      throw new Error(`a step of a publication in ${state} changed nothing`);
    }
  }

  /** Returns until when it must wait. `wokenForMs` counts as past for one step, whatever the clock says. */
  async function proceed(claimed: ClaimedPublication, wokenForMs?: number): Promise<number | undefined> {
    const { signal } = closing;
    let pastMs = wokenForMs;
    for (;;) {
      const seen = claimed.foreignChanges;
      // While this process closes, it shows nothing more: the next process shows the result of the last step.
      const retryAtMs = signal.aborted ? clock.now() : await updateMessages(claimed);
      if (claimed.foreignChanges !== seen) {
        // The message is out of date already.
        continue;
      }
      const { record } = claimed;
      shown.emit(record.id);
      const atMs = dueAt(record);
      const isDue = atMs !== undefined && (atMs <= clock.now() || atMs === pastMs);
      if (isDue && !signal.aborted && (!sendsBytes(record) || slots.take(record))) {
        await step(claimed);
        // If a step chose the same time again, the clock was set back, so this process waits for the clock.
        pastMs = undefined;
      } else {
        const nextAtMs = earlier(atMs, retryAtMs);
        if (await claimed.release(nextAtMs)) {
          return nextAtMs;
        }
      }
    }
  }

  async function work(claim: PublicationClaim): Promise<void> {
    const { key: id, record } = claim;
    const wokenForMs = woken.get(id);
    woken.delete(id);
    const claimed = createClaimedPublication(deps, record, () => claims.isSafe(claim));
    claimedById.set(id, claimed);
    try {
      wake(id, await proceed(claimed, wokenForMs));
    } catch (error) {
      if (!(error instanceof ClaimLostError)) {
        throw error;
      }
      log.info({ publication: id, reason: error.message }, "claim lost");
    } finally {
      claimedById.delete(id);
      if (slots.release(id)) {
        nudge();
      }
    }
  }

  /** Chooses what to start. An upload takes its slot first; without a slot, it is started only to post its message. */
  function choose(due: readonly PublicationRecord[]): readonly PublicationRecord[] {
    const free = due.filter(({ id }) => !claims.has(id));
    const [sending, others] = [free.filter(sendsBytes), free.filter((record) => !sendsBytes(record))];
    const begun = slots.inTurn(sending).filter((record) => slots.take(record) || !isShown(record));
    const count = Math.max(0, MAX_AT_ONCE - (underWay.size - slots.taken));
    return [...begun, ...others.slice(0, count)];
  }

  async function findDue(): Promise<readonly PublicationRecord[]> {
    const due = await publications.due(clock.now(), MAX_DUE);
    const early: PublicationRecord[] = [];
    for (const id of woken.keys()) {
      if (!due.some((record) => record.id === id)) {
        const record = await publications.get(id);
        if (record === undefined || record.claimedUntilMs !== undefined) {
          woken.delete(id);
        } else {
          early.push(record);
        }
      }
    }
    return [...due, ...early];
  }

  async function startDue(): Promise<void> {
    if (closing.signal.aborted) {
      return;
    }
    const chosen = choose(await findDue());
    try {
      const due = chosen.map((record) => ({ key: record.id, record, safeUntilElapsedMs: -Infinity }));
      for (const claim of await claims.take(due)) {
        claims.begin(claim, () => work(claim));
      }
    } finally {
      // Not claimed: another process was faster, or the database is unavailable.
      chosen.filter(({ id }) => !claims.has(id)).forEach(({ id }) => slots.release(id));
    }
  }

  function nudge(): void {
    runs.again().catch((error: unknown) => {
      log.error({ error }, "publication run failed, will retry");
    });
  }

  return {
    uploads: () => slots.taken,
    /** Starts what is due. Resolves when that has ended, or when it takes long and continues in the background. */
    async run(): Promise<void> {
      await runs.again();
      await underWay.waitUntilAtMost(slots.taken, RUN_MS);
    },
    nudge,
    /** Resolves when this process has next updated its messages, and after this time at the latest. */
    async shown(id: string, mostMs: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      shown.once(id, resolve);
      await waitAtMost(clock, mostMs, promise, undefined);
      shown.off(id, resolve);
    },
    /** Makes an attempt in this process read the row again, so that it stops if somebody has stopped it. */
    stop(id: string): void {
      const claimed = claimedById.get(id);
      claimed?.refresh().catch(() => undefined);
    },
    /** Releases the publications that this process is working on, so that another process continues with them. */
    async close(): Promise<void> {
      closing.abort();
      for (const cancel of wakeTimers) {
        cancel();
      }
      // Claims that a run has just made are released immediately.
      await waitAtMost(clock, CLOSE_MS, runs.ended(), undefined);
      await underWay.waitUntilAtMost(0, CLOSE_MS);
    },
  };
}

export type PublishRunner = ReturnType<typeof createPublishRunner>;

function isShown({ shownHash }: PublicationRecord): boolean {
  return shownHash !== undefined;
}

// A server's second upload waits behind the first ones of other servers.

/** Enough to use a connection fully, and few enough for a small machine. */
const MAX_UPLOADS_AT_ONCE = 2;

export function createUploadSlots() {
  const guilds = new Map<string, string>();

  function countOf(guildId: string): number {
    return guilds.values().reduce((count, id) => count + (id === guildId ? 1 : 0), 0);
  }

  return {
    get taken(): number {
      return guilds.size;
    },
    /** Returns `false` if there is none. */
    take({ id, guildId }: Pick<PublicationRecord, "id" | "guildId">): boolean {
      if (!guilds.has(id) && guilds.size >= MAX_UPLOADS_AT_ONCE) {
        return false;
      }
      guilds.set(id, guildId);
      return true;
    },
    /** Returns whether the publication had one. */
    release: (id: string): boolean => guilds.delete(id),
    /** Servers with the fewest uploads come first. */
    inTurn(waiting: readonly PublicationRecord[]): readonly PublicationRecord[] {
      const before = new Map<string, number>();
      const placed = waiting.map((record) => {
        const place = before.get(record.guildId) ?? countOf(record.guildId);
        before.set(record.guildId, place + 1);
        return { record, place };
      });
      // Equal ranks keep their order: the most overdue comes first.
      return placed.toSorted((a, b) => a.place - b.place).map(({ record }) => record);
    },
  };
}

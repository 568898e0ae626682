// The runner of publications: takes what is due, works on it, and remembers when to look again. Any number of processes may
// do so at once.
import { type Clock, waitAtMost } from "../../core/clock.ts";
import { createRuns } from "../../core/runs.ts";
import type { PublicationRecord, PublicationsTable } from "../publications-table.ts";
import type { UploadMethod, VideoClient } from "../client/video-client.ts";
import type { Log } from "../../core/log.ts";
import type { Attachments } from "../../core/attachments.ts";
import type { Messenger } from "../../core/ports.ts";
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

/** Looked at together; more wait their turn in the database. */
const MOST_DUE = 1_000;
/** Worked on at once, those that send aside: each asks the service or Discord something. */
const MOST_AT_ONCE = 20;
/** What goes on by itself is not waited for. */
const RUN_MS = 4_000;
/** What is due sooner than this is looked at in time; the rest is for the job. */
const WAKE_WITHIN_MS = 60_000;
const CLOSE_MS = 10_000;

export interface PublishRunnerDependencies {
  readonly publications: PublicationsTable;
  readonly accounts: Pick<VideoAccounts, "of" | "byKey" | "toPublish" | "canLink" | "markBroken">;
  readonly rules: VideoRules;
  readonly client: VideoClient;
  readonly sources: Pick<Attachments, "readStart" | "source">;
  readonly messenger: Messenger;
  readonly present: PresentPublication;
  /** How files go up; `auto`: by their size. */
  readonly upload: "auto" | UploadMethod;
  readonly clock: Clock;
  readonly log: Log;
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
  /** Resolved when the messages of a publication are brought up to date: of this process, what others do is not known. */
  const shownWaiters = new Map<string, PromiseWithResolvers<void>>();
  const claimedById = new Map<string, ClaimedPublication>();
  const wakes = new Set<() => void>();
  /** Those for which the time has passed until the moment for which they were released, whatever the clock says. */
  const woken = new Map<string, number>();
  const closing = new AbortController();
  const runs = createRuns(startDue);

  function wake(id: string, atMs: number | undefined): void {
    const waitMs = atMs === undefined ? Infinity : atMs - clock.now();
    if (atMs === undefined || waitMs <= 0 || waitMs > WAKE_WITHIN_MS || closing.signal.aborted) {
      return;
    }
    const cancel = clock.after(waitMs, () => {
      wakes.delete(cancel);
      woken.set(id, atMs);
      nudge();
    });
    wakes.add(cancel);
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

  /** Works on it until it must wait; returns until when. `wokenForMs` counts as past for one step, whatever the clock says. */
  async function proceed(
    claimed: ClaimedPublication,
    wokenForMs: number | undefined,
  ): Promise<number | undefined> {
    const { signal } = closing;
    let pastMs = wokenForMs;
    for (;;) {
      const seen = claimed.foreignChanges;
      // The next process shows what came of the last step.
      const retryAtMs = signal.aborted ? clock.now() : await updateMessages(claimed);
      if (claimed.foreignChanges !== seen) {
        // What was shown is out of date already.
        continue;
      }
      const { record } = claimed;
      shownWaiters.get(record.id)?.resolve();
      const atMs = dueAt(record);
      const isDue = atMs !== undefined && (atMs <= clock.now() || atMs === pastMs);
      if (isDue && !signal.aborted && (!sendsBytes(record) || slots.take(record))) {
        await step(claimed);
        // A step that chose the same moment again waits for the clock, which was set back.
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

  /** Those that send take their room before they begin; without one, they begin only to be shown. */
  function choose(due: readonly PublicationRecord[]): readonly PublicationRecord[] {
    const free = due.filter(({ id }) => !claims.has(id));
    const [sending, others] = [free.filter(sendsBytes), free.filter((record) => !sendsBytes(record))];
    const begun = slots.inTurn(sending).filter((record) => slots.take(record) || !isShown(record));
    const count = Math.max(0, MOST_AT_ONCE - (underWay.size - slots.taken));
    return [...begun, ...others.slice(0, count)];
  }

  async function findDue(): Promise<readonly PublicationRecord[]> {
    const due = await publications.due(clock.now(), MOST_DUE);
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
      // Another process was quicker, or the database is away.
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
    /** Starts what is due; resolves when that has ended or continues by itself. */
    async run(): Promise<void> {
      await runs.again();
      await underWay.waitUntilAtMost(slots.taken, RUN_MS);
    },
    nudge,
    /** Resolves when this process has next shown it, and after this time at the latest. */
    async shown(id: string, mostMs: number): Promise<void> {
      const shown = shownWaiters.get(id) ?? Promise.withResolvers<void>();
      shownWaiters.set(id, shown);
      await waitAtMost(clock, mostMs, shown.promise, undefined);
      shownWaiters.delete(id);
    },
    /** Stops the attempt under way for this publication, if this process makes it. */
    stop(id: string): void {
      // The attempt sees what was decided, and stops.
      claimedById
        .get(id)
        ?.refresh()
        .catch(() => undefined);
    },
    /** Releases what is under way, so that another process goes on with it. */
    async close(): Promise<void> {
      closing.abort();
      for (const cancel of wakes) {
        cancel();
      }
      // What a run is claiming begins after that, and is released at once.
      await waitAtMost(clock, CLOSE_MS, runs.ended(), undefined);
      await underWay.waitUntilAtMost(0, CLOSE_MS);
    },
  };
}

export type PublishRunner = ReturnType<typeof createPublishRunner>;

function isShown({ messageId, shownHash }: PublicationRecord): boolean {
  return messageId !== undefined || shownHash !== undefined;
}

// How many files this process sends at once, and whose turn it is: a server with many waits behind one with a first.

/** Enough for a connection, and few enough for a small machine. */
const MOST_UPLOADS_AT_ONCE = 2;

export function createUploadSlots() {
  const guilds = new Map<string, string>();

  function countOf(guildId: string): number {
    return guilds.values().reduce((count, id) => count + (id === guildId ? 1 : 0), 0);
  }

  return {
    get taken(): number {
      return guilds.size;
    },
    /** Takes one, or says that there is none. */
    take({ id, guildId }: Pick<PublicationRecord, "id" | "guildId">): boolean {
      if (!guilds.has(id) && guilds.size >= MOST_UPLOADS_AT_ONCE) {
        return false;
      }
      guilds.set(id, guildId);
      return true;
    },
    /** Gives back what it had, if anything; says whether it had one. */
    release: (id: string): boolean => guilds.delete(id),
    /** Those that may go first, first: of the servers that have least on its way. */
    inTurn(waiting: readonly PublicationRecord[]): readonly PublicationRecord[] {
      const before = new Map<string, number>();
      const placed = waiting.map((record) => {
        const place = before.get(record.guildId) ?? countOf(record.guildId);
        before.set(record.guildId, place + 1);
        return { record, place };
      });
      // Equal places stay in order: the longest due first.
      return placed.toSorted((a, b) => a.place - b.place).map(({ record }) => record);
    },
  };
}

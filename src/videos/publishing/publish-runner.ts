// The runner of publications: claims what is due, works on it, and remembers when to look again. Any number of
// processes may do so at once; one that dies leaves claims that run out.
import type { PublicationRecord } from "../publications-table.ts";
import { createMaintenance } from "../../delivery/maintenance.ts";
import { createUnderWay } from "../../delivery/under-way.ts";
import { sendsBytes } from "./due-at.ts";
import { type PublicationLease, LeaseLostError, createClaim } from "./publication-lease.ts";
import { createShownSignals } from "./shown-signals.ts";
import type { PublishRunner } from "./publish.ts";
import type { PublishRunnerDependencies } from "./step.ts";
import { createWork } from "./work.ts";

/** Looked at together; more wait their turn in the database. */
const MOST_DUE = 1_000;
/** Worked on at once, those that send aside: each asks the service or Discord something. */
const MOST_AT_ONCE = 20;
/** What goes on by itself is not waited for. */
const RUN_MS = 4_000;
/** What is due sooner than this is looked at in time; the rest is for the job. */
const WAKE_WITHIN_MS = 60_000;
const CLOSE_MS = 10_000;
const MAINTENANCE_MS = 3_600_000;
/** How long what came to nothing is remembered. */
const KEEP_MS = 30 * 86_400_000;

/** Makes the runner of one process. */
export function createPublishRunner(deps: PublishRunnerDependencies): PublishRunner {
  const { publications, clock, log } = deps;
  const work = createWork(deps);
  const slots = createUploadSlots();
  const underWay = createUnderWay(clock);
  const shownSignals = createShownSignals(clock);
  const held = new Map<string, PublicationLease | undefined>();
  const wakes = new Set<() => void>();
  /** Those for which the time has passed until the moment for which they were released, whatever the clock says. */
  const woken = new Map<string, number>();
  const closing = new AbortController();
  let looking: Promise<void> = Promise.resolve();
  let nextLook: Promise<void> | undefined;

  const maintain = createMaintenance({ clock, log, of: "publications", everyMs: MAINTENANCE_MS }, (nowMs) =>
    publications.sweep(nowMs - KEEP_MS),
  );

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

  async function begin(record: PublicationRecord): Promise<void> {
    const { id } = record;
    const wokenForMs = woken.get(id);
    woken.delete(id);
    try {
      const claimedAtElapsedMs = clock.elapsed();
      const claim = createClaim();
      const claimed = await publications.change(record, {}, { claim });
      if (claimed !== undefined) {
        const nextAtMs = await work(claimed, {
          claim,
          claimedAtElapsedMs,
          wokenForMs,
          mayUpload: () => slots.take(record),
          signal: closing.signal,
          onLease: (lease) => void held.set(id, lease),
          onShown: () => shownSignals.tell(id),
        });
        wake(id, nextAtMs);
      }
    } catch (error) {
      if (error instanceof LeaseLostError) {
        log.info({ publication: id, reason: error.message }, "lease lost");
      } else {
        log.error({ error, publication: id }, "publication work failed, will retry");
      }
    } finally {
      held.delete(id);
      if (slots.release(id)) {
        nudge();
      }
    }
  }

  /** Those that send take their room before they begin; without one, they begin only to be shown. */
  function choose(due: readonly PublicationRecord[]): readonly PublicationRecord[] {
    const free = due.filter(({ id }) => !held.has(id));
    const [sending, others] = [free.filter(sendsBytes), free.filter((record) => !sendsBytes(record))];
    const begun = slots.inTurn(sending).filter((record) => slots.take(record) || !isShown(record));
    const count = Math.max(0, MOST_AT_ONCE - (held.size - slots.taken));
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

  async function look(): Promise<void> {
    if (closing.signal.aborted) {
      return;
    }
    await maintain();
    for (const record of choose(await findDue())) {
      held.set(record.id, undefined);
      underWay.add(begin(record));
    }
  }

  /** One at a time; whoever comes meanwhile waits for the one that begins after it came. */
  function lookNext(): Promise<void> {
    nextLook ??= looking
      .catch(() => undefined)
      .then(() => {
        nextLook = undefined;
        looking = look();
        return looking;
      });
    return nextLook;
  }

  function nudge(): void {
    lookNext().catch((error: unknown) => {
      log.error({ error }, "publication run failed, will retry");
    });
  }

  return {
    async run() {
      await lookNext();
      await underWay.shrinks(slots.taken, RUN_MS);
    },
    nudge,
    shown: (id, mostMs) => shownSignals.next(id, mostMs),
    stop(id) {
      // Whoever works on it sees what was decided, and stops.
      held
        .get(id)
        ?.refresh()
        .catch(() => undefined);
    },
    async close() {
      closing.abort();
      for (const cancel of wakes) {
        cancel();
      }
      await underWay.shrinks(0, CLOSE_MS);
    },
  };
}

function isShown({ messageId, shownHash }: PublicationRecord): boolean {
  return messageId !== undefined || shownHash !== undefined;
}

// How many files this process sends at once, and whose turn it is: a server with many waits behind one with a first.

/** The places of one process. */
export interface UploadSlots {
  /** How many are taken. */
  readonly taken: number;
  /** Takes one, or says that there is none. */
  take(record: Pick<PublicationRecord, "id" | "guildId">): boolean;
  /** Gives back what it had, if anything; says whether it had one. */
  release(id: string): boolean;
  /** Those that may go first, first: of the servers that have least on its way. */
  inTurn(waiting: readonly PublicationRecord[]): readonly PublicationRecord[];
}

/** Enough for a line, and few enough for a small machine. */
const MOST_UPLOADS_AT_ONCE = 2;

/** Makes them, all free. */
export function createUploadSlots(): UploadSlots {
  const guilds = new Map<string, string>();

  function countOf(guildId: string): number {
    return guilds.values().reduce((count, id) => count + (id === guildId ? 1 : 0), 0);
  }

  return {
    get taken() {
      return guilds.size;
    },
    take({ id, guildId }) {
      if (!guilds.has(id) && guilds.size >= MOST_UPLOADS_AT_ONCE) {
        return false;
      }
      guilds.set(id, guildId);
      return true;
    },
    release: (id) => guilds.delete(id),
    inTurn(waiting) {
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

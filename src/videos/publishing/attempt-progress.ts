// What people and the row see of an upload while it goes on: a look at it every two seconds, one at a time.
import type { UploadSession } from "../client/upload-session.ts";
import type { Clock } from "../../core/clock.ts";
import type { PublicationLease } from "./publication-lease.ts";
import { formatSession, replaceProblem } from "./stored-problem.ts";
import type { LiveProgress } from "./read-publication.ts";
import { FREE } from "./states.ts";

/** Brings the message up to date while bytes flow. */
export type ShowProgress = (lease: PublicationLease, live: LiveProgress) => Promise<unknown>;

/** As often as a message may change; by writing it down it is noticed that somebody has cancelled. */
const EVERY_MS = 2_000;

export function beginProgress({
  lease,
  show,
  clock,
  session: first,
  onLook,
}: {
  readonly lease: PublicationLease;
  readonly show: ShowProgress;
  readonly clock: Clock;
  readonly session?: UploadSession;
  readonly onLook?: () => Promise<void>;
}) {
  const speed = createTransferSpeed(clock);
  let doneBytes = first === undefined ? 0 : lease.record.doneBytes;
  let session = first;
  let looking = Promise.resolve();
  let isOver = false;
  let cancel = wait();

  function wait(): () => void {
    return clock.after(EVERY_MS, () => {
      // What fails here fails again where the upload's outcome is recorded, and is judged there.
      looking = look().catch(() => undefined);
      void looking.finally(() => {
        if (!isOver) {
          cancel = wait();
        }
      });
    });
  }

  /** Bytes that arrived are the end of what was in the way before. */
  function write(): Promise<boolean> {
    const further = session === first ? undefined : session;
    return lease.change("uploading", (record) => ({
      doneBytes,
      ...(further && {
        session: formatSession(further),
        ...FREE,
        problem: replaceProblem(record, undefined),
      }),
    }));
  }

  async function look(): Promise<void> {
    await onLook?.();
    if (await write()) {
      await show(lease, { doneBytes, bytesPerSecond: speed.bytesPerSecond() });
    }
  }

  speed.note(doneBytes);
  return {
    note: (bytes: number): void => {
      doneBytes = Math.max(doneBytes, bytes);
      speed.note(doneBytes);
    },
    noteSession: (next: UploadSession): void => {
      session = next;
    },
    /** Resolves when nothing more will be shown or written about it. */
    async end(): Promise<void> {
      isOver = true;
      cancel();
      await looking;
      if (session !== first) {
        await write().catch(() => undefined);
      }
    },
  };
}

// How fast bytes go, by the last ten seconds: an average of all would show a slow connection at its former speed.

const WINDOW_MS = 10_000;
const TOO_EARLY_MS = 1_000;
/** More often nobody looks. */
const SAMPLE_MS = 250;

export function createTransferSpeed(clock: Clock) {
  const samples: { readonly atMs: number; readonly doneBytes: number }[] = [];
  let doneNow = 0;

  return {
    /** So many bytes are done now. */
    note(doneBytes: number): void {
      doneNow = doneBytes;
      const atMs = clock.elapsed();
      const last = samples.at(-1);
      if (last !== undefined && atMs - last.atMs < SAMPLE_MS) {
        return;
      }
      samples.push({ atMs, doneBytes });
      // One older than the window stays: the window begins with it.
      while ((samples[1]?.atMs ?? Infinity) <= atMs - WINDOW_MS) {
        samples.shift();
      }
    },
    /** `undefined` where it is too early to tell. */
    bytesPerSecond(): number | undefined {
      const [first] = samples;
      const passedMs = first === undefined ? 0 : clock.elapsed() - first.atMs;
      return first === undefined || passedMs < TOO_EARLY_MS
        ? undefined
        : ((doneNow - first.doneBytes) * 1000) / passedMs;
    },
  };
}

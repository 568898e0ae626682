// What people and the row see of an upload while it goes on: a look at it every two seconds, one at a time.
import type { UploadSession } from "../../clients/video/upload-session.ts";
import type { Clock } from "../../core/clock.ts";
import type { Hold } from "./hold.ts";
import { formatSession } from "./kept-session.ts";
import type { LiveProgress } from "./read-publication.ts";
import { createTransferSpeed } from "./transfer-speed.ts";

/** Brings the message up to date while bytes flow. */
export type ShowProgress = (hold: Hold, live: LiveProgress) => Promise<unknown>;

/** An upload's progress. */
export interface AttemptProgress {
  readonly note: (doneBytes: number) => void;
  readonly noteSession: (session: UploadSession) => void;
  /** Settles when nothing more is shown or written of it. */
  end(): Promise<void>;
}

/** As often as a message may change; by writing it down it is noticed that somebody has cancelled. */
const EVERY_MS = 2_000;

/** Begins to look. */
export function beginProgress({
  hold,
  show,
  clock,
  session: first,
  onLook,
}: {
  readonly hold: Hold;
  readonly show: ShowProgress;
  readonly clock: Clock;
  readonly session?: UploadSession;
  /** Called at each look. */
  readonly onLook?: () => Promise<void>;
}): AttemptProgress {
  const speed = createTransferSpeed(clock);
  let doneBytes = first === undefined ? 0 : hold.record.doneBytes;
  let session = first;
  let looking = Promise.resolve();
  let isOver = false;
  let cancel = wait();

  function wait(): () => void {
    return clock.after(EVERY_MS, () => {
      // What fails here fails again where the upload's outcome is written down, and is judged there.
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
    return hold.change("uploading", {
      doneBytes,
      ...(further && { session: formatSession(further), problem: undefined }),
    });
  }

  async function look(): Promise<void> {
    await onLook?.();
    if (await write()) {
      await show(hold, { doneBytes, bytesPerSecond: speed.bytesPerSecond() });
    }
  }

  speed.note(doneBytes);
  return {
    note(bytes) {
      doneBytes = Math.max(doneBytes, bytes);
      speed.note(doneBytes);
    },
    noteSession: (next) => {
      session = next;
    },
    async end() {
      isOver = true;
      cancel();
      await looking;
      if (session !== first) {
        await write().catch(() => undefined);
      }
    },
  };
}

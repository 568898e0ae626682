// One attempt to send a video: in one form, or in pieces and a finish. Before a write that cannot be repeated the row
// says that it is about to be sent; only the process that has written that sends it, and nobody ever sends it again.
import { chooseUpload } from "../client/video-client.ts";
import type { UploadSession } from "../client/upload-session.ts";
import type { VideoDetails } from "../client/video-source.ts";
import { ServiceError } from "../../core/errors.ts";
import type { PublicationChanges, PublicationRecord } from "../publications-table.ts";
import type { Clock } from "../../core/clock.ts";
import type { UsableAccount } from "../accounts/video-accounts.ts";
import type { PublicationLease } from "./publication-lease.ts";
import { formatSession, parseSession, replaceProblem } from "./stored-problem.ts";
import { EARLIEST_MS } from "./parse-publish-at.ts";
import type { PublishRunnerDependencies } from "./publish-runner.ts";
import { arrived } from "./judge-failure.ts";
import { FREE } from "./states.ts";

/** The account was unlinked while its video was on its way. */
export class AccountGoneError extends ServiceError {
  constructor() {
    super("account", "unauthorised", "the account is no longer linked");
  }
}

/** Who sends it, and what stops it. */
export interface Attempt {
  readonly lease: PublicationLease;
  readonly account: UsableAccount;
  /** Whether the account may still be used: what is unlinked must not publish any more. Throws as the database does. */
  readonly isLinked: () => Promise<boolean>;
  /** Stops what is on its way; what is there in whole stays there. */
  readonly signal: AbortSignal;
}

/** While it is on its way: a little more than the service wants, so that it still is in time when it arrives. */
const MARGIN_MS = 2 * 60_000;
/** What a slow line takes, in bytes. */
const SLOW_BYTES_PER_MS = 500;

/**
 * Makes what attempts. It settles when the service has the video (then the state is `processing`), when it is to wait
 * for its time, or when somebody has changed what it is about. What it throws is to be judged:
 * failures of the service and of the file, with `pendingWrite` in the row where a write was on its way.
 */
export function createAttempt({
  client,
  sources,
  show,
  upload,
  clock,
}: PublishRunnerDependencies & { readonly show: ShowProgress }) {
  function sourceOf({ fileUrl = "", fileName, fileType, sizeBytes }: PublicationRecord, signal: AbortSignal) {
    return sources.source({ url: fileUrl, fileName, contentType: fileType, sizeBytes }, signal);
  }

  /**
   * The service publishes nothing sooner than in ten minutes. What is nearer is held back until its time has come, and
   * is then published at once.
   */
  function isTooNear(publishAtMs: number | undefined, sendingMs: number): publishAtMs is number {
    const waitMs = (publishAtMs ?? 0) - clock.now();
    return waitMs > 0 && waitMs < EARLIEST_MS + MARGIN_MS + sendingMs;
  }

  function detailsOf({ title, description, publishAtMs = 0 }: PublicationRecord): VideoDetails {
    return { title, description, publishAtMs: publishAtMs > clock.now() ? publishAtMs : undefined };
  }

  /** Where the service named no video, it must be looked for. */
  async function noteArrival(lease: PublicationLease, videoId: string | undefined): Promise<void> {
    if (videoId !== undefined) {
      await lease.change("uploading", (record) => arrived(record, videoId, clock.now()));
    }
  }

  async function sendWhole(attempt: Attempt): Promise<void> {
    const { lease, account } = attempt;
    const { publishAtMs, sizeBytes } = lease.record;
    if (isTooNear(publishAtMs, sizeBytes / SLOW_BYTES_PER_MS)) {
      await lease.change("uploading", (record) => waitsUntil(publishAtMs, record));
      return;
    }
    const nowMs = clock.now();
    const pending = { pendingWrite: "simple", pendingSinceMs: nowMs, doneBytes: 0 } as const;
    if (!(await lease.change("uploading", (record) => ({ ...pending, ...unhindered(record) })))) {
      return;
    }
    // Also while the file comes slowly: until the form's end is sent, nothing is published.
    const link = watchLink(attempt);
    const progress = beginProgress({ lease, show, clock, onLook: () => link.look() });
    let videoId: string | undefined;
    try {
      const source = sourceOf(lease.record, link.signal);
      const { record } = lease;
      videoId = await client.uploadSimple(account.account, {
        ...detailsOf(record),
        source,
        onProgress: progress.note,
        beforeEnd: () => link.lastLook(),
        signal: link.signal,
      });
    } finally {
      await progress.end();
    }
    await noteArrival(lease, videoId);
  }

  async function begin({ lease, account, signal }: Attempt): Promise<UploadSession | undefined> {
    const kept = parseSession(lease.record);
    if (kept !== undefined) {
      return kept;
    }
    const session = await client.startUpload(account.account, lease.record.sizeBytes, signal);
    const isKept = await lease.change("uploading", (record) => ({
      session: formatSession(session),
      doneBytes: 0,
      ...unhindered(record),
    }));
    return isKept ? session : undefined;
  }

  /** Sends what the session still wants. */
  async function sendAll(attempt: Attempt, session: UploadSession): Promise<UploadSession> {
    const { lease, account, signal } = attempt;
    const progress = beginProgress({ lease, show, clock, session });
    try {
      return await client.sendPieces({
        account: account.account,
        source: sourceOf(lease.record, signal),
        session,
        async onSession(next) {
          progress.noteSession(next);
          await checkLink(attempt);
        },
        onProgress: progress.note,
        signal,
      });
    } finally {
      await progress.end();
    }
  }

  async function sendInPieces(attempt: Attempt): Promise<void> {
    const { lease, account, signal } = attempt;
    const session = await begin(attempt);
    if (session === undefined) {
      return;
    }
    const whole = session.next === "done" ? session : await sendAll(attempt, session);
    const { publishAtMs, sizeBytes } = lease.record;
    const complete = { session: formatSession(whole), doneBytes: sizeBytes };
    if (isTooNear(publishAtMs, 0)) {
      await lease.change("uploading", (record) => ({
        ...complete,
        ...waitsUntil(publishAtMs, record),
      }));
      return;
    }
    await checkLink(attempt);
    const pending = { pendingWrite: "finish", pendingSinceMs: clock.now(), videoId: whole.videoId } as const;
    const isSending = !signal.aborted;
    const isWritten = await lease.change("uploading", (record) => ({
      ...complete,
      ...unhindered(record),
      ...(isSending && pending),
    }));
    if (!isWritten || !isSending) {
      return;
    }
    await client.finishUpload(account.account, whole, detailsOf(lease.record));
    await noteArrival(lease, whole.videoId);
  }

  return async (attempt: Attempt): Promise<void> => {
    const { lease } = attempt;
    const isBegun = lease.record.session !== undefined;
    const isChunked = isBegun || chooseUpload(upload, lease.record.sizeBytes) === "chunked";
    await (isChunked ? sendInPieces(attempt) : sendWhole(attempt));
  };
}

function waitsUntil(notBeforeMs: number, record: PublicationRecord): PublicationChanges {
  return { ...FREE, problem: replaceProblem(record, undefined), notBeforeMs };
}

/** Since when something was in its way, and how often it was tried, is remembered until bytes arrive. */
function unhindered(record: PublicationRecord): PublicationChanges {
  return { problem: replaceProblem(record, undefined), notBeforeMs: undefined };
}

async function checkLink({ isLinked }: Attempt): Promise<void> {
  if (!(await isLinked())) {
    throw new AccountGoneError();
  }
}

/** A signal that also aborts once the account is found to be unlinked, as long as nothing can have been published. */
function watchLink({ isLinked, signal }: Attempt) {
  const unlinked = new AbortController();
  let isEnding = false;
  return {
    signal: AbortSignal.any([signal, unlinked.signal]),
    async look(): Promise<void> {
      if (!(await isLinked()) && !isEnding) {
        unlinked.abort();
      }
    },
    async lastLook(): Promise<void> {
      let isStill: boolean;
      try {
        isStill = await isLinked();
      } catch (cause) {
        const message = "it is not known whether the account is still linked";
        throw new ServiceError("account", "unavailable", message, { cause });
      }
      if (!isStill) {
        throw new AccountGoneError();
      }
      isEnding = true;
    },
  };
}

// What people and the row see of an upload while it goes on: a look at it every two seconds, one at a time.

/** Brings the message up to date while bytes flow. */
export type ShowProgress = (lease: PublicationLease, ownOnly: boolean) => Promise<unknown>;

/** As often as a message may change; by writing it down it is noticed that somebody has cancelled. */
const EVERY_MS = 2_000;

function beginProgress({
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
      await show(lease, true);
    }
  }

  return {
    note: (bytes: number): void => {
      doneBytes = Math.max(doneBytes, bytes);
    },
    noteSession: (next: UploadSession): void => {
      session = next;
    },
    /** Settles when nothing more is shown or written of it. */
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

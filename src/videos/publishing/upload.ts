// Before a write that cannot be repeated, the row says that it is about to be sent. Only the process that
// wrote that sends it, once. If its outcome is unknown, reconcile.ts finds out whether it happened.
import { sleep } from "../../core/clock.ts";
import { ServiceError, UserError } from "../../core/errors.ts";
import { TRANSIENT_KINDS } from "../../core/retry.ts";
import type { UsableAccount } from "../accounts/video-accounts.ts";
import { VideoRefusal } from "../client/refusal.ts";
import type { UploadSession } from "../client/upload-session.ts";
import { chooseUpload } from "../client/video-client.ts";
import type { VideoDetails } from "../client/video-source.ts";
import type { PublicationChanges, PublicationRecord } from "../publications-table.ts";
import { EARLIEST_MS } from "./draft-publication.ts";
import {
  type PublicationProblem,
  NO_ACCOUNT,
  formatProblem,
  isPermanent,
  parseSession,
  problemOf,
} from "./problems.ts";
import { ClaimLostError, type ClaimedPublication, type Step } from "./claimed-publication.ts";
import type { PublishRunnerDependencies } from "./publish-runner.ts";
import { TROUBLE_RESET, NOT_PENDING, arrived, cancelled, enter, failed, isLinkExpired } from "./states.ts";

/** Added to the service's shortest notice, because the upload takes time. */
const MARGIN_MS = 2 * 60_000;
/** The speed of a slow connection. */
const SLOW_BYTES_PER_MS = 500;
/** As often as a message may change. Storing progress also reveals whether somebody has cancelled. */
const REPORT_EVERY_MS = 2_000;

/** While the service is unavailable, each pause is longer than the one before. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
const PATIENCE_MS = 15 * 60_000;
/** A service that limits our rate says how long to wait, so it is given more time. */
const RATE_LIMIT_PATIENCE_MS = 3_600_000;
/** After a lost answer, the video may appear soon. */
const FIRST_CHECK_MS = 2_000;

interface Attempt {
  readonly claimed: ClaimedPublication;
  readonly account: UsableAccount;
  /** Throws if the account may no longer be used: nothing may be published with an unlinked account. */
  readonly checkLink: () => Promise<void>;
  /** Aborts sending. A complete upload stays on the service. */
  readonly signal: AbortSignal;
}

interface Progress {
  doneBytes: number;
  /** The end of the form may have been sent, so the video may be published: the upload is not aborted any more. */
  isEnding?: boolean;
  session?: UploadSession;
}

/** `show` updates the message during the upload. */
export function createUploadStep(
  deps: PublishRunnerDependencies & {
    readonly show: (claimed: ClaimedPublication, ownOnly: boolean) => Promise<unknown>;
  },
): Step {
  const { accounts, client, sources, show, upload, clock, log } = deps;

  function sourceOf({ fileUrl = "", fileName, fileType, sizeBytes }: PublicationRecord, signal: AbortSignal) {
    return sources.source({ url: fileUrl, fileName, contentType: fileType, sizeBytes }, signal);
  }

  function detailsOf({ title, description, publishAtMs = 0 }: PublicationRecord): VideoDetails {
    return { title, description, publishAtMs: publishAtMs > clock.now() ? publishAtMs : undefined };
  }

  /** The changes that postpone the upload, if the service could not schedule its time any more. */
  function postponed(record: PublicationRecord, sendingMs: number): PublicationChanges | undefined {
    const { publishAtMs: notBeforeMs = 0 } = record;
    const waitMs = notBeforeMs - clock.now();
    return waitMs > 0 && waitMs < EARLIEST_MS + MARGIN_MS + sendingMs
      ? { ...TROUBLE_RESET, notBeforeMs }
      : undefined;
  }

  /** Every two seconds checks that the account is still linked, and stores and shows the progress. */
  async function withReports<T>(
    { claimed, checkLink, signal }: Attempt,
    act: (progress: Progress, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const progress: Progress = { doneBytes: claimed.record.doneBytes };
    const unlinked = new AbortController();
    const over = new AbortController();

    /** Once bytes have arrived, earlier problems are over. */
    const write = (): Promise<boolean> =>
      claimed.change("uploading", {
        doneBytes: progress.doneBytes,
        ...(progress.session && { ...TROUBLE_RESET, session: JSON.stringify(progress.session) }),
      });

    async function report(): Promise<void> {
      try {
        await checkLink();
      } catch (error) {
        if (error instanceof ServiceError && error.kind === "unauthorised" && progress.isEnding !== true) {
          unlinked.abort();
        }
      }
      if (await write()) {
        await show(claimed, true);
      }
    }

    async function keepReporting(): Promise<void> {
      while (!over.signal.aborted) {
        await sleep(clock, REPORT_EVERY_MS, over.signal);
        // A failure here occurs again when the upload's outcome is stored, and is handled there.
        await report().catch(() => undefined);
      }
    }

    const reporting = keepReporting().catch(() => undefined);
    try {
      return await act(progress, AbortSignal.any([signal, unlinked.signal]));
    } finally {
      over.abort();
      await reporting;
      if (progress.session !== undefined) {
        await write().catch(() => undefined);
      }
    }
  }

  async function sendWhole(attempt: Attempt): Promise<string | undefined> {
    const { claimed, account, checkLink } = attempt;
    const held = postponed(claimed.record, claimed.record.sizeBytes / SLOW_BYTES_PER_MS);
    const pending = { pendingWrite: "simple", pendingSinceMs: clock.now(), doneBytes: 0 } as const;
    const isWritten = await claimed.change("uploading", held ?? { ...pending, ...PROBLEM_CLEARED });
    if (held !== undefined || !isWritten) {
      return undefined;
    }
    return withReports(attempt, (progress, signal) =>
      client.uploadSimple(account.account, {
        ...detailsOf(claimed.record),
        source: sourceOf(claimed.record, signal),
        onProgress: (bytes) => void (progress.doneBytes = bytes),
        async beforeEnd() {
          await checkLink();
          progress.isEnding = true;
        },
        signal,
      }),
    );
  }

  async function openSession({ claimed, account, signal }: Attempt): Promise<UploadSession | undefined> {
    const kept = parseSession(claimed.record);
    if (kept !== undefined) {
      return kept;
    }
    const begun = await client.startUpload(account.account, claimed.record.sizeBytes, signal);
    const session = JSON.stringify(begun);
    const isKept = await claimed.change("uploading", { session, doneBytes: 0, ...PROBLEM_CLEARED });
    return isKept ? begun : undefined;
  }

  async function sendInPieces(attempt: Attempt): Promise<string | undefined> {
    const { claimed, account, checkLink, signal } = attempt;
    const session = await openSession(attempt);
    if (session === undefined) {
      return undefined;
    }
    const completed = await withReports(attempt, (progress, watchedSignal) =>
      client.sendPieces({
        account: account.account,
        source: sourceOf(claimed.record, watchedSignal),
        session,
        async onSession(next) {
          progress.session = next;
          await checkLink();
        },
        onProgress: (bytes) => void (progress.doneBytes = Math.max(progress.doneBytes, bytes)),
        signal: watchedSignal,
      }),
    );
    const held = postponed(claimed.record, 0);
    const isSending = held === undefined && !signal.aborted;
    const pending = {
      pendingWrite: "finish",
      pendingSinceMs: clock.now(),
      videoId: completed.videoId,
    } as const;
    const isWritten = await claimed.change("uploading", (record) => ({
      session: JSON.stringify(completed),
      doneBytes: record.sizeBytes,
      ...(held ?? PROBLEM_CLEARED),
      ...(isSending && pending),
    }));
    if (!isWritten || !isSending) {
      return undefined;
    }
    // Last, because the write is retried while the database is unreachable, and somebody may unlink the account meanwhile.
    await checkLink();
    await client.finishUpload(account.account, completed, detailsOf(claimed.record));
    return completed.videoId;
  }

  /** Nothing was published. If somebody has asked to stop it, it becomes cancelled instead. */
  async function conclude(
    claimed: ClaimedPublication,
    changesOf: (record: PublicationRecord) => PublicationChanges,
  ): Promise<void> {
    await claimed.change("uploading", (record) => ({
      ...(record.stopReason === undefined ? changesOf(record) : cancelled(record, clock.now())),
      ...NOT_PENDING,
    }));
  }

  const fail = (claimed: ClaimedPublication, problem: PublicationProblem): Promise<void> =>
    conclude(claimed, (record) => failed(record, problem, clock.now(), !isPermanent(problem)));

  const expire = (claimed: ClaimedPublication): Promise<void> =>
    conclude(claimed, (record) => enter(record, "expired", clock.now()));

  async function tryAgain(
    claimed: ClaimedPublication,
    problem: PublicationProblem,
    waitMs?: number,
  ): Promise<void> {
    const nowMs = clock.now();
    const { troubleSinceMs = nowMs, tries } = claimed.record;
    const notBeforeMs = nowMs + (waitMs ?? Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS));
    const patienceMs = problem.kind === "rate-limited" ? RATE_LIMIT_PATIENCE_MS : PATIENCE_MS;
    if (notBeforeMs - troubleSinceMs > patienceMs) {
      await fail(claimed, problem);
    } else {
      const kept = { problem: formatProblem(problem), troubleSinceMs, tries: tries + 1, notBeforeMs };
      await conclude(claimed, () => kept);
    }
  }

  /** The video may be on the service: from now on the publication is reconciled. */
  async function markUnknown(claimed: ClaimedPublication, problem: PublicationProblem): Promise<void> {
    const nowMs = clock.now();
    const kept = { ...problem, kind: "outcome-unknown", trouble: undefined } as const;
    await claimed.change("uploading", {
      problem: formatProblem(kept),
      troubleSinceMs: nowMs,
      tries: 0,
      notBeforeMs: nowMs + FIRST_CHECK_MS,
    });
  }

  async function handleFailure({ claimed, account }: Attempt, error: unknown): Promise<void> {
    const { state, pendingWrite, guildId, id } = claimed.record;
    if (error instanceof ClaimLostError) {
      throw error;
    }
    if (state !== "uploading") {
      return;
    }
    const problem = problemOf(error);
    const { of, kind, trouble } = problem;
    log[kind === "bug" ? "error" : "warn"]({ error, publication: id, pendingWrite }, "upload attempt failed");
    if (isUnclear(error, pendingWrite)) {
      await markUnknown(claimed, problem);
    } else if (of === "discord" && kind === "not-found") {
      await expire(claimed);
    } else if (trouble === "session") {
      // The service has discarded the session; a new one may work.
      await claimed.change("uploading", { session: undefined, doneBytes: 0 });
      await tryAgain(claimed, problem);
    } else if (kind === "aborted") {
      await conclude(claimed, () => ({}));
    } else if (error instanceof ServiceError && (TRANSIENT_KINDS.has(error.kind) || trouble === "offset")) {
      await tryAgain(claimed, problem, error.retryAfterMs);
    } else {
      if (kind === "unauthorised") {
        await accounts.markBroken(guildId, account.key, trouble ?? "token-dead");
      }
      await fail(claimed, problem);
    }
  }

  return async (claimed, signal) => {
    const { guildId, account: key, sizeBytes, session } = claimed.record;
    if (isLinkExpired(claimed.record, clock.now())) {
      return expire(claimed);
    }
    const find = () => accounts.toPublish(guildId, key);
    const account = await find();
    if (account === undefined) {
      return fail(claimed, NO_ACCOUNT);
    }
    const stop = claimed.abortSignalWhen(
      (record) => record.state !== "uploading" || record.stopReason !== undefined,
    );
    const attempt: Attempt = {
      claimed,
      account,
      checkLink: () => checkLinked(find),
      signal: AbortSignal.any([signal, stop]),
    };
    const isChunked = session !== undefined || chooseUpload(upload, sizeBytes) === "chunked";
    try {
      const videoId = await (isChunked ? sendInPieces(attempt) : sendWhole(attempt));
      if (videoId !== undefined) {
        await claimed.change("uploading", (record) => arrived(record, videoId, clock.now()));
      }
    } catch (error) {
      return handleFailure(attempt, error);
    }
    if (claimed.record.state === "uploading" && claimed.record.pendingWrite !== undefined) {
      // The service accepted the upload without saying which id the video has.
      await markUnknown(claimed, { of: "video", kind: "outcome-unknown" });
    }
  };
}

/** The start of the trouble and the attempts stay until bytes arrive. */
const PROBLEM_CLEARED = { problem: undefined, notBeforeMs: undefined } as const satisfies PublicationChanges;

/** If the database fails, nobody knows whether it is linked, so the upload's end must not be sent. */
async function checkLinked(find: () => Promise<unknown>): Promise<void> {
  const account = await find().catch((cause: unknown) => {
    const message = "nobody knows whether the account is still linked";
    throw new ServiceError("account", "unavailable", message, { cause });
  });
  if (account === undefined) {
    throw new ServiceError("account", "unauthorised", "the account is no longer linked");
  }
}

/** A write has not happened if its body was cut short or the service refused it. */
function isUnclear(error: unknown, write: PublicationRecord["pendingWrite"]): boolean {
  if (write === undefined || error instanceof UserError) {
    return false;
  }
  if (!(error instanceof ServiceError)) {
    return true;
  }
  if (error.service !== "video") {
    return error.service === "storage";
  }
  const { kind } = error;
  return (
    kind === "outcome-unknown" ||
    kind === "unexpected-answer" ||
    // Nobody can tell how much of a short request was sent; for a stream it is known.
    (kind === "aborted" && write === "finish") ||
    // The service has answered `success: false` to writes that had succeeded.
    (kind === "rejected" && !(error instanceof VideoRefusal))
  );
}

// Sends all that a session still wants, piece by piece, and goes on where the service says after a bad moment.
import type { Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { VIDEO, type VideoAccount } from "./account.ts";
import { wait } from "./pace.ts";
import { type UploadWindow, VideoRefusal } from "./refusal.ts";
import { createSourceCursor, type SourceCursor } from "./source-cursor.ts";
import type { UploadSession, UploadSessionVerbs } from "./upload-session.ts";
import type { FileSource } from "../../core/file-source.ts";

/** An upload under way. */
export interface PiecesRequest {
  readonly account: VideoAccount;
  readonly source: FileSource;
  readonly session: UploadSession;
  /** Told after each piece, before the next is sent; what it throws ends the upload. */
  readonly onSession?: ((session: UploadSession) => Promise<void>) | undefined;
  /** Told how many bytes are on their way or there; never goes back. */
  readonly onProgress?: ((doneBytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Where the service leaves the end of a piece to us. */
const OWN_PIECE_BYTES = 4 * 1024 * 1024;
/** So many in a row may fail without a byte gained. */
const MOST_FAILURES = 5;
const FIRST_WAIT_MS = 1_000;
/** Whoever is told to wait for longer had better write down where it stands. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Gives back the session with everything sent, ready to be finished. Throws ServiceError when the service refuses for
 * good or fails again and again, `aborted`, and what the source fails with; the session as last told remains good.
 */
export async function sendPieces(
  { verbs, clock }: { readonly verbs: Pick<UploadSessionVerbs, "transfer">; readonly clock: Clock },
  request: PiecesRequest,
): Promise<UploadSession> {
  const { account, source, signal, onSession, onProgress } = request;
  let session = request.session;
  let furthestByte = 0;
  let failures = 0;
  let sentBytes = 0;
  const cursor = createSourceCursor(source, (byte) => {
    if (byte > sentBytes) {
      sentBytes = byte;
      onProgress?.(byte);
    }
  });

  try {
    while (session.next !== "done") {
      const { startByte } = session.next;
      const piece = cutPiece(cursor, source, session.next);
      const sent = await verbs
        .transfer(account, session, piece, signal)
        .catch((error: unknown) => ({ error }));
      if ("error" in sent) {
        const next = placeAfter(sent.error, source.sizeBytes) ?? session.next;
        // A piece whose answer was lost shows here: the service stands further than we knew.
        failures = isBeyond(next, furthestByte) ? 0 : failures + 1;
        const waitMs = failures < MOST_FAILURES ? waitAfter(sent.error, failures) : undefined;
        if (waitMs === undefined) {
          throw sent.error;
        }
        if (waitMs > 0) {
          await wait(clock, waitMs, signal);
        }
        session = { ...session, next };
      } else {
        session = sent;
        failures = 0;
      }
      furthestByte = Math.max(furthestByte, startByte, session.next === "done" ? 0 : session.next.startByte);
      await onSession?.(session);
    }
    return session;
  } finally {
    cursor.close();
  }
}

function isBeyond(next: UploadWindow | "done", byte: number): boolean {
  return next === "done" || next.startByte > byte;
}

function cutPiece(cursor: SourceCursor, source: FileSource, { startByte, endByte }: UploadWindow) {
  const { sizeBytes, fileName, contentType } = source;
  const end = Math.min(endByte ?? startByte + OWN_PIECE_BYTES, sizeBytes);
  return { startByte, endByte: end, fileName, contentType, open: () => cursor.take(startByte, end) };
}

/** How long to wait before going on; `undefined` where that makes no sense. */
function waitAfter(error: unknown, failures: number): number | undefined {
  if (!(error instanceof ServiceError)) {
    return undefined;
  }
  if (error instanceof VideoRefusal && error.trouble === "offset") {
    return 0;
  }
  if (error.kind === "rate-limited" && error.service === VIDEO) {
    const askedMs = error.retryAfterMs ?? Number.POSITIVE_INFINITY;
    return askedMs <= LONGEST_WAIT_MS ? askedMs : undefined;
  }
  const isPassing = error.kind === "unavailable" || error.kind === "timeout";
  return isPassing ? FIRST_WAIT_MS * 2 ** (failures - 1) : undefined;
}

/** Where a refusal says that the session stands; an end that is no end is ours to choose. */
function placeAfter(error: unknown, sizeBytes: number): UploadWindow | "done" | undefined {
  if (!(error instanceof VideoRefusal) || error.trouble !== "offset" || error.goOnAt === undefined) {
    return undefined;
  }
  const { startByte, endByte } = error.goOnAt;
  if (startByte >= sizeBytes) {
    return "done";
  }
  return { startByte, endByte: endByte !== undefined && endByte > startByte ? endByte : undefined };
}

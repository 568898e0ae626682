// The four phases of an upload in pieces. The service chooses which bytes it wants next; offsets are texts there.
import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import { VIDEO, type VideoAccount } from "./who-am-i.ts";
import type { VideoApi } from "./video-api.ts";
import { type UploadWindow, VideoRefusal } from "./refusal.ts";
import { count, flag, idText } from "./read-values.ts";
import {
  type SourceCursor,
  type VideoDetails,
  createSourceCursor,
  describeDetails,
  nameVideo,
} from "./video-source.ts";
import type { FileSource } from "../../core/file-source.ts";

/** An upload that the service has begun; can be stored and resumed after a restart. */
export interface UploadSession {
  readonly sessionId: string;
  /** The video that it will be; `undefined` where the service does not say. */
  readonly videoId?: string | undefined;
  readonly sizeBytes: number;
  /** What the service wants next; `done`: it has everything. May be out of date: the service says so when asked. */
  readonly next: UploadWindow | "done";
}

export interface UploadPiece extends Pick<FileSource, "fileName" | "contentType"> {
  readonly startByte: number;
  readonly endByte: number;
  /** Opens exactly these bytes. */
  readonly open: () => AsyncIterable<Uint8Array>;
}

const windowShape = { start_offset: count, end_offset: count, success: flag, skip_upload: flag };
const startSchema = z.object({ ...windowShape, upload_session_id: idText, video_id: idText });
const windowSchema = z.object(windowShape);

/** Each verb sends once and throws as {@link VideoApi} does. */
export function createUploadSessionVerbs(api: VideoApi) {
  return {
    /** A lost answer is `unavailable`: a session without an end never becomes a video. */
    async startUpload(
      account: VideoAccount,
      sizeBytes: number,
      signal?: AbortSignal,
    ): Promise<UploadSession> {
      const fields = { upload_phase: "start", file_size: String(sizeBytes) };
      const call = { verb: "start upload", method: "POST", path: pathOf(account), fields } as const;
      const answer = await api.ask(account, { ...call, lost: "harmless", signal }, startSchema);
      if (answer.upload_session_id === undefined) {
        throw new ServiceError(VIDEO, "unexpected-answer", "upload_session_id is not string");
      }
      return {
        sessionId: answer.upload_session_id,
        videoId: answer.video_id,
        sizeBytes,
        next: answer.skip_upload === true ? "done" : readWindow(answer, sizeBytes),
      };
    },
    /** A lost answer is `unavailable`: it may be sent again. VideoRefusal `offset`: `goOnAt` says where to go on. */
    async transfer(
      account: VideoAccount,
      session: UploadSession,
      piece: UploadPiece,
      signal?: AbortSignal,
    ): Promise<UploadSession> {
      const { startByte, endByte, contentType, open } = piece;
      const fields = {
        upload_phase: "transfer",
        upload_session_id: session.sessionId,
        start_offset: String(startByte),
      };
      const content = { sizeBytes: endByte - startByte, open };
      const file = { name: "video_file_chunk", fileName: nameVideo(piece), contentType, content };
      const call = {
        verb: "transfer",
        path: pathOf(account),
        fields,
        file,
        lost: "harmless",
        signal,
      } as const;
      const next = readWindow(await api.upload(account, call, windowSchema), session.sizeBytes);
      if (next !== "done" && next.startByte <= startByte) {
        throw new ServiceError(VIDEO, "unexpected-answer", "transfer: start_offset does not advance");
      }
      return { ...session, next };
    },
    /** Makes a video of it. Never send it again: after `outcome-unknown`, check `videoId`. */
    async finishUpload(
      account: VideoAccount,
      { sessionId }: UploadSession,
      details: VideoDetails,
    ): Promise<void> {
      const fields = { upload_phase: "finish", upload_session_id: sessionId, ...describeDetails(details) };
      await api.write(account, { verb: "finish upload", method: "POST", path: pathOf(account), fields });
    },
    /** Throws it away, where the service knows how. Also a lost answer leaves nothing that anybody sees. */
    async cancelUpload(account: VideoAccount, { sessionId }: UploadSession): Promise<void> {
      const fields = { upload_phase: "cancel", upload_session_id: sessionId };
      const call = { verb: "cancel upload", method: "POST", path: pathOf(account), fields } as const;
      await api.ask(account, { ...call, lost: "harmless" }, z.unknown());
    },
  };
}

export type UploadSessionVerbs = ReturnType<typeof createUploadSessionVerbs>;

function pathOf({ id = "me" }: VideoAccount): readonly string[] {
  return [id, "videos"];
}

/** What the service wants after this answer. Throws ServiceError `unexpected-answer` for what makes no sense. */
export function readWindow(answer: z.output<typeof windowSchema>, sizeBytes: number): UploadWindow | "done" {
  const { start_offset: startByte, end_offset: endByte, success } = answer;
  if (startByte === undefined && success === true) {
    return "done";
  }
  if (startByte === undefined || !Number.isSafeInteger(startByte)) {
    throw new ServiceError(VIDEO, "unexpected-answer", "start_offset is not number");
  }
  if (startByte >= sizeBytes) {
    return "done";
  }
  // To go on to the end from here would publish half a video.
  if (endByte !== undefined && (!Number.isSafeInteger(endByte) || endByte <= startByte)) {
    throw new ServiceError(VIDEO, "unexpected-answer", "end_offset comes before the file's end");
  }
  return { startByte, endByte };
}

// Sends all that a session still wants, piece by piece, from where the service says.

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
/** So often in a row the service may name another place without a byte gained. */
const MOST_DETOURS = 5;

/** Throws for each failure; the session that was last reported can be gone on with. */
export async function sendPieces(
  { transfer }: Pick<UploadSessionVerbs, "transfer">,
  { account, source, session: begun, signal, onSession, onProgress }: PiecesRequest,
): Promise<UploadSession> {
  let session = begun;
  let furthestByte = 0;
  let detours = 0;
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
      furthestByte = Math.max(furthestByte, startByte);
      try {
        session = await transfer(account, session, cutPiece(cursor, source, session.next), signal);
        detours = 0;
      } catch (error) {
        const next = placeAfter(error, source.sizeBytes);
        // A piece whose answer was lost shows here: the service stands further than we knew.
        detours = next === "done" || (next?.startByte ?? 0) > furthestByte ? 0 : detours + 1;
        if (next === undefined || detours >= MOST_DETOURS) {
          throw error;
        }
        session = { ...session, next };
      }
      await onSession?.(session);
    }
    return session;
  } finally {
    cursor.close();
  }
}

function cutPiece(cursor: SourceCursor, source: FileSource, { startByte, endByte }: UploadWindow) {
  const { sizeBytes, fileName, contentType } = source;
  const end = Math.min(endByte ?? startByte + OWN_PIECE_BYTES, sizeBytes);
  return { startByte, endByte: end, fileName, contentType, open: () => cursor.take(startByte, end) };
}

/** Where the service says that it stands; `undefined` for every other failure. */
function placeAfter(error: unknown, sizeBytes: number): UploadWindow | "done" | undefined {
  if (!(error instanceof VideoRefusal) || error.trouble !== "offset" || error.goOnAt === undefined) {
    return undefined;
  }
  return error.goOnAt.startByte >= sizeBytes ? "done" : error.goOnAt;
}

// The four phases of an upload in pieces. The service chooses which bytes it wants next; offsets are texts there.
import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import { VIDEO, type VideoAccount } from "./account.ts";
import type { VideoApi } from "./video-api.ts";
import { type UploadWindow, VideoRefusal } from "./refusal.ts";
import { looseAmount, looseFlag, looseId } from "./read-values.ts";
import { type VideoDetails, createSourceCursor, describeDetails, nameVideo } from "./video-source.ts";
import type { FilePart } from "../../core/multipart.ts";
import type { FileSource } from "../../core/attachments.ts";

export const uploadSessionSchema = z.object({
  sessionId: z.string(),
  /** The video that it will be; `undefined` where the service does not say. */
  videoId: z.string().optional(),
  sizeBytes: z.number(),
  /** What the service wants next; `done`: it has everything. May be out of date: the service says so when asked. */
  next: z.union([z.literal("done"), z.object({ startByte: z.number(), endByte: z.number().optional() })]),
});

/** An upload that the service has begun; can be stored and resumed after a restart. */
export type UploadSession = Readonly<z.output<typeof uploadSessionSchema>>;

const windowShape = {
  start_offset: looseAmount,
  end_offset: looseAmount,
  success: looseFlag,
  skip_upload: looseFlag,
};
const startSchema = z.object({ ...windowShape, upload_session_id: looseId, video_id: looseId });
const windowSchema = z.object(windowShape);

/** Throws as {@link VideoApi} does; each of the four phases is sent once. */
export function createUploadSessionVerbs(api: VideoApi) {
  /** A lost answer is `unavailable`: it may be sent again. VideoRefusal `offset`: `resumeAt` says where to go on. */
  async function transfer(
    account: VideoAccount,
    session: UploadSession,
    file: Pick<FilePart, "fileName" | "contentType" | "content">,
    startByte: number,
    signal: AbortSignal | undefined,
  ): Promise<UploadSession> {
    const call = {
      verb: "transfer",
      path: pathOf(account),
      fields: {
        upload_phase: "transfer",
        upload_session_id: session.sessionId,
        start_offset: String(startByte),
      },
      file: { name: "video_file_chunk", ...file },
      lost: "harmless",
      signal,
    } as const;
    const next = readWindow(await api.upload(account, call, windowSchema), session.sizeBytes);
    if (next !== "done" && next.startByte <= startByte) {
      throw new ServiceError(VIDEO, "unexpected-answer", "transfer: start_offset does not advance");
    }
    return { ...session, next };
  }

  return {
    /** A lost answer is `unavailable`: a session without an end never becomes a video. */
    async startUpload(
      account: VideoAccount,
      sizeBytes: number,
      signal?: AbortSignal,
    ): Promise<UploadSession> {
      const fields = { upload_phase: "start", file_size: String(sizeBytes) };
      const call = { verb: "start upload", path: pathOf(account), fields, lost: "harmless", signal } as const;
      const answer = await api.ask(account, call, startSchema);
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
    /** Sends all that a session still wants, from where the service says. The session that was last told can be resumed. */
    async sendPieces({
      account,
      source,
      session: begun,
      signal,
      onSession,
      onProgress,
    }: PiecesRequest): Promise<UploadSession> {
      const { sizeBytes, contentType } = source;
      const fileName = nameVideo(source);
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
          const { startByte, endByte = startByte + OWN_PIECE_BYTES } = session.next;
          const end = Math.min(endByte, sizeBytes);
          const content = { sizeBytes: end - startByte, open: () => cursor.take(startByte, end) };
          furthestByte = Math.max(furthestByte, startByte);
          try {
            session = await transfer(account, session, { fileName, contentType, content }, startByte, signal);
            detours = 0;
          } catch (error) {
            const next = placeAfter(error, sizeBytes);
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
    },
    /** Makes a video of it. Never send it again: after `outcome-unknown`, check `videoId`. */
    async finishUpload(
      account: VideoAccount,
      { sessionId }: UploadSession,
      details: VideoDetails,
    ): Promise<void> {
      const fields = { upload_phase: "finish", upload_session_id: sessionId, ...describeDetails(details) };
      await api.write(account, { verb: "finish upload", path: pathOf(account), fields });
    },
    /** Throws it away, where the service knows how. Also a lost answer leaves nothing that anybody sees. */
    async cancelUpload(account: VideoAccount, { sessionId }: UploadSession): Promise<void> {
      const fields = { upload_phase: "cancel", upload_session_id: sessionId };
      const call = { verb: "cancel upload", path: pathOf(account), fields, lost: "harmless" } as const;
      await api.ask(account, call, z.unknown());
    },
  };
}

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

/** Where the service says that it stands; `undefined` for every other failure. */
function placeAfter(error: unknown, sizeBytes: number): UploadWindow | "done" | undefined {
  if (!(error instanceof VideoRefusal) || error.trouble !== "offset" || error.resumeAt === undefined) {
    return undefined;
  }
  return error.resumeAt.startByte >= sizeBytes ? "done" : error.resumeAt;
}

// The four phases of an upload in pieces. The service chooses which bytes it wants next; it writes offsets as strings.
import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import { VIDEO, type VideoAccount, videosPath } from "./account.ts";
import type { Fields, VideoApi } from "./video-api.ts";
import { type UploadWindow, VideoRefusal } from "./refusal.ts";
import { looseAmount, looseFlag, looseId } from "./read-values.ts";
import { type VideoDetails, createSourceCursor, describeDetails, nameVideo } from "./video-source.ts";
import type { FilePart } from "../../core/multipart.ts";
import type { FileSource } from "../../core/attachments.ts";

export const uploadSessionSchema = z.object({
  sessionId: z.string(),
  /** `undefined` if the service does not say. */
  videoId: z.string().optional(),
  sizeBytes: z.number(),
  /** The bytes that the service wants next. May be out of date: the service corrects it when asked. */
  next: z.union([z.literal("done"), z.object({ startByte: z.number(), endByte: z.number().optional() })]),
});

/** An upload that the service has begun; can be stored and resumed after a restart. */
export type UploadSession = Readonly<z.output<typeof uploadSessionSchema>>;

const answerSchema = z.object({
  start_offset: looseAmount,
  end_offset: looseAmount,
  success: looseFlag,
  /** Only in the answer to the start, like the two ids. */
  skip_upload: looseFlag,
  upload_session_id: looseId,
  video_id: looseId,
});

function phaseCall(account: VideoAccount, phase: "start" | "transfer" | "finish" | "cancel", fields: Fields) {
  const verb = phase === "transfer" ? phase : `${phase} upload`;
  return { verb, path: videosPath(account), fields: { upload_phase: phase, ...fields } };
}

/** Throws as {@link VideoApi} does; each request is sent once. */
export function createUploadSessionVerbs(api: VideoApi) {
  /** Throws `unavailable` if the answer is lost (the piece may be sent again), and VideoRefusal `offset`. */
  async function transfer(
    account: VideoAccount,
    session: UploadSession,
    file: FilePart,
    startByte: number,
    signal: AbortSignal | undefined,
  ): Promise<UploadSession> {
    const fields = { upload_session_id: session.sessionId, start_offset: String(startByte) };
    const call = { ...phaseCall(account, "transfer", fields), file, lost: "harmless", signal } as const;
    const next = readWindow(await api.ask(account, call, answerSchema), session.sizeBytes);
    if (next !== "done" && next.startByte <= startByte) {
      throw new ServiceError(VIDEO, "unexpected-answer", "transfer: start_offset does not advance");
    }
    return { ...session, next };
  }

  return {
    /** Throws `unavailable` if the answer is lost: a session that is never finished does not become a video. */
    async startUpload(
      account: VideoAccount,
      sizeBytes: number,
      signal?: AbortSignal,
    ): Promise<UploadSession> {
      const fields = { file_size: String(sizeBytes) };
      const call = { ...phaseCall(account, "start", fields), lost: "harmless", signal } as const;
      const answer = await api.ask(account, call, answerSchema);
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
    /** Starts where the service says. The session last passed to `onSession` can be resumed. */
    async sendPieces(request: PiecesRequest): Promise<UploadSession> {
      const { account, source, signal, onSession, onProgress } = request;
      const { sizeBytes, contentType } = source;
      const fileName = nameVideo(source);
      let { session } = request;
      let furthestByte = 0;
      let detours = 0;
      const cursor = createSourceCursor(source, onProgress);
      try {
        while (session.next !== "done") {
          const { startByte, endByte = startByte + OWN_PIECE_BYTES } = session.next;
          const end = Math.min(endByte, sizeBytes);
          const content = { sizeBytes: end - startByte, open: () => cursor.take(startByte, end) };
          const file = { name: "video_file_chunk", fileName, contentType, content };
          furthestByte = Math.max(furthestByte, startByte);
          try {
            session = await transfer(account, session, file, startByte, signal);
            detours = 0;
          } catch (error) {
            const next = placeAfter(error, sizeBytes);
            // If the answer to a piece was lost, the service has more than we knew.
            detours = next === "done" || (next?.startByte ?? 0) > furthestByte ? 0 : detours + 1;
            if (next === undefined || detours >= MAX_DETOURS) {
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
    /** Turns the upload into a video. Never send this again: after `outcome-unknown`, check `videoId`. */
    finishUpload(account: VideoAccount, { sessionId }: UploadSession, details: VideoDetails) {
      const fields = { upload_session_id: sessionId, ...describeDetails(details) };
      return api.write(account, phaseCall(account, "finish", fields));
    },
    /** Discards the upload, if the service supports that. Even if the answer is lost, nothing becomes visible. */
    async cancelUpload(account: VideoAccount, { sessionId }: UploadSession): Promise<void> {
      const call = phaseCall(account, "cancel", { upload_session_id: sessionId });
      await api.ask(account, { ...call, lost: "harmless" }, z.unknown());
    },
  };
}

export interface PiecesRequest {
  readonly account: VideoAccount;
  readonly source: FileSource;
  readonly session: UploadSession;
  /** Called after each piece, before the next is sent; if it throws, the upload ends. */
  readonly onSession?: ((session: UploadSession) => Promise<void>) | undefined;
  /** Receives the number of bytes that have been sent, which never decreases. */
  readonly onProgress?: ((doneBytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The size of a piece if the service leaves it to us. */
const OWN_PIECE_BYTES = 4 * 1024 * 1024;
/** How many times in a row the service may name another offset without having gained a byte. */
const MAX_DETOURS = 5;

/** Returns what the service wants next. Throws a ServiceError `unexpected-answer` if that makes no sense. */
export function readWindow(
  { start_offset: startByte, end_offset: endByte, success }: z.output<typeof answerSchema>,
  sizeBytes: number,
): UploadWindow | "done" {
  if (startByte === undefined && success === true) {
    return "done";
  }
  if (startByte === undefined || !Number.isSafeInteger(startByte)) {
    throw new ServiceError(VIDEO, "unexpected-answer", "start_offset is not a number");
  }
  if (startByte >= sizeBytes) {
    return "done";
  }
  // The service wants nothing more although it lacks a part of the file. Finishing now would publish half a video.
  if (endByte !== undefined && (!Number.isSafeInteger(endByte) || endByte <= startByte)) {
    throw new ServiceError(VIDEO, "unexpected-answer", "end_offset is not after start_offset");
  }
  return { startByte, endByte };
}

/** Returns the offset at which the service wants to resume; `undefined` for every other failure. */
function placeAfter(error: unknown, sizeBytes: number): UploadWindow | "done" | undefined {
  if (!(error instanceof VideoRefusal) || error.trouble !== "offset" || error.resumeAt === undefined) {
    return undefined;
  }
  return error.resumeAt.startByte >= sizeBytes ? "done" : error.resumeAt;
}

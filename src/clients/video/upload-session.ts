// The four phases of an upload in pieces. The service chooses which bytes it wants next; offsets are texts there.
import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import { VIDEO, type VideoAccount } from "./account.ts";
import type { VideoDoor } from "./door.ts";
import type { UploadWindow } from "./refusal.ts";
import { count, flag, idText } from "./values.ts";
import { describeDetails, nameVideo, type VideoDetails } from "./video-source.ts";
import type { FileSource } from "../../core/file-source.ts";

/** An upload that the service has begun; can be written down and gone on with after a restart. */
export interface UploadSession {
  readonly sessionId: string;
  /** The video that it will be; `undefined` where the service does not say. */
  readonly videoId: string | undefined;
  readonly sizeBytes: number;
  /** What the service wants next; `done`: it has everything. May be out of date: the service says so when asked. */
  readonly next: UploadWindow | "done";
}

/** A piece of a file. */
export interface UploadPiece extends Pick<FileSource, "fileName" | "contentType"> {
  readonly startByte: number;
  readonly endByte: number;
  /** Opens exactly these bytes. */
  readonly open: () => AsyncIterable<Uint8Array>;
}

/** Each verb sends once and throws as {@link VideoDoor} does. */
export interface UploadSessionVerbs {
  /** A lost answer is `unavailable`: a session without an end never becomes a video. */
  startUpload(account: VideoAccount, sizeBytes: number, signal?: AbortSignal): Promise<UploadSession>;
  /**
   * Sends one piece and gives the session as it then stands. A lost answer is `unavailable`: the same piece may be sent
   * again. VideoRefusal with the trouble `offset` where the service stands elsewhere; `goOnAt` says where.
   */
  transfer(
    account: VideoAccount,
    session: UploadSession,
    piece: UploadPiece,
    signal?: AbortSignal,
  ): Promise<UploadSession>;
  /** Makes a video of it. Never to be sent again: after `outcome-unknown`, look at `videoId`. */
  finishUpload(account: VideoAccount, session: UploadSession, details: VideoDetails): Promise<void>;
  /** Throws it away, where the service knows how. Also a lost answer leaves nothing that anybody sees. */
  cancelUpload(account: VideoAccount, session: UploadSession): Promise<void>;
}

const windowShape = { start_offset: count, end_offset: count, success: flag, skip_upload: flag };
const startSchema = z.object({ ...windowShape, upload_session_id: idText, video_id: idText });
const windowSchema = z.object(windowShape);
const doneSchema = z.object({ success: flag });

export function createUploadSessionVerbs(door: VideoDoor): UploadSessionVerbs {
  return {
    async startUpload(account, sizeBytes, signal) {
      const fields = { upload_phase: "start", file_size: String(sizeBytes) };
      const call = { verb: "start upload", method: "POST", path: pathOf(account), fields } as const;
      const answer = await door.ask(account, { ...call, lost: "harmless", signal }, startSchema);
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
    async transfer(account, session, piece, signal) {
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
      const next = readWindow(await door.upload(account, call, windowSchema), session.sizeBytes);
      if (next !== "done" && next.startByte <= startByte) {
        throw new ServiceError(VIDEO, "unexpected-answer", "transfer: start_offset does not advance");
      }
      return { ...session, next };
    },
    async finishUpload(account, { sessionId }, details) {
      const fields = { upload_phase: "finish", upload_session_id: sessionId, ...describeDetails(details) };
      const call = { verb: "finish upload", method: "POST", path: pathOf(account), fields } as const;
      const { success } = await door.ask(account, call, doneSchema);
      if (success === false) {
        throw new ServiceError(VIDEO, "rejected", "finish upload: success is false");
      }
    },
    async cancelUpload(account, { sessionId }) {
      const fields = { upload_phase: "cancel", upload_session_id: sessionId };
      const call = { verb: "cancel upload", method: "POST", path: pathOf(account), fields } as const;
      await door.ask(account, { ...call, lost: "harmless" }, z.unknown());
    },
  };
}

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

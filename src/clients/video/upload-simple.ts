// The upload that the specification describes: one form with the whole file in it.
import { z } from "zod";
import type { VideoAccount } from "./account.ts";
import type { VideoDoor } from "./door.ts";
import { createSourceCursor } from "./source-cursor.ts";
import { idText } from "./values.ts";
import { describeDetails, nameVideo, type VideoDetails } from "./video-source.ts";
import type { FileSource } from "../../core/file-source.ts";

/** An upload in one go. */
export interface SimpleUpload extends VideoDetails {
  readonly source: FileSource;
  /** Told how many bytes are on their way or there. */
  readonly onProgress?: ((doneBytes: number) => void) | undefined;
  /** Asked when all of the file is sent and only the form's end is not. What it throws breaks the upload off: nothing was taken. */
  readonly beforeEnd?: (() => Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const answerSchema = z.object({ id: idText, video_id: idText });

/**
 * Sends the form once; a body cut short by an abort or a failing source is not accepted. Gives the video's id,
 * `undefined` where the service does not say it. Throws as {@link VideoDoor} does: with `outcome-unknown` there is
 * no id to look at, only the newest of the account's videos.
 */
export async function uploadSimple(
  door: VideoDoor,
  account: VideoAccount,
  { source, onProgress, beforeEnd, signal, ...details }: SimpleUpload,
): Promise<string | undefined> {
  const { sizeBytes, contentType } = source;
  const cursor = createSourceCursor(source, (byte) => onProgress?.(byte));
  async function* open(): AsyncGenerator<Uint8Array> {
    yield* cursor.take(0, sizeBytes);
    await beforeEnd?.();
  }
  const { id = "me" } = account;
  try {
    const answer = await door.upload(
      account,
      {
        verb: "upload",
        path: [id, "videos"],
        fields: describeDetails(details),
        file: { name: "source", fileName: nameVideo(source), contentType, content: { sizeBytes, open } },
        signal,
      },
      answerSchema,
    );
    return answer.id ?? answer.video_id;
  } finally {
    cursor.close();
  }
}

// The API client of the video service, for all accounts. Its errors contain no tokens or addresses.
import { z } from "zod";
import { type VideoAccount, videosPath, whoAmI } from "./account.ts";
import { createCommentVerbs, createVideoVerbs } from "./video-verbs.ts";
import { type VideoApi, type VideoApiDependencies, createVideoApi } from "./video-api.ts";
import { createInsightVerbs } from "./insight-verbs.ts";
import { type Video, fetchVideoPicture } from "./read-video.ts";
import { createUploadSessionVerbs } from "./upload-session.ts";
import { type VideoDetails, createSourceCursor, describeDetails, nameVideo } from "./video-source.ts";
import { looseId } from "./read-values.ts";
import type { FileSource } from "../../core/attachments.ts";

export function createVideoClient(dependencies: VideoApiDependencies) {
  const api = createVideoApi(dependencies);
  return {
    ...createUploadSessionVerbs(api),
    ...createVideoVerbs(api, dependencies),
    ...createCommentVerbs(api),
    ...createInsightVerbs(api, dependencies.clock),
    uploadSimple: (account: VideoAccount, upload: SimpleUpload) => uploadSimple(api, account, upload),
    picture: (video: Pick<Video, "picture">, timeoutMs?: number) =>
      fetchVideoPicture(dependencies, video, timeoutMs),
    whoAmI: (account: VideoAccount) => whoAmI(api, account),
  };
}

export type VideoClient = ReturnType<typeof createVideoClient>;

interface SimpleUpload extends VideoDetails {
  readonly source: FileSource;
  readonly onProgress?: ((doneBytes: number) => void) | undefined;
  /** Called when only the end of the form is left. If it throws, the service takes nothing. */
  readonly beforeEnd?: (() => Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const answerSchema = z.object({ id: looseId, video_id: looseId });

/** Sends the form once; the service does not accept an incomplete body. Returns the video's id if the service says it. */
async function uploadSimple(
  api: VideoApi,
  account: VideoAccount,
  { source, onProgress, beforeEnd, signal, ...details }: SimpleUpload,
): Promise<string | undefined> {
  const { sizeBytes, contentType } = source;
  const cursor = createSourceCursor(source, onProgress);
  async function* open(): AsyncGenerator<Uint8Array> {
    yield* cursor.take(0, sizeBytes);
    await beforeEnd?.();
  }
  const file = { name: "source", fileName: nameVideo(source), contentType, content: { sizeBytes, open } };
  const call = { verb: "upload", path: videosPath(account), fields: describeDetails(details), file, signal };
  try {
    const answer = await api.ask(account, call, answerSchema);
    return answer.id ?? answer.video_id;
  } finally {
    cursor.close();
  }
}

export type UploadMethod = "simple" | "chunked";

/** Above this size, restarting after a broken connection costs too much, and cancelling should reach the service. */
const CHUNKED_FROM_BYTES = 16 * 1024 * 1024;

/** `auto` sends small files in one form, as the specification describes, and large ones in pieces. */
export function chooseUpload(mode: "auto" | UploadMethod, sizeBytes: number): UploadMethod {
  if (mode !== "auto") {
    return mode;
  }
  return sizeBytes < CHUNKED_FROM_BYTES ? "simple" : "chunked";
}

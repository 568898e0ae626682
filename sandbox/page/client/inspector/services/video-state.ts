// The video service's ledger, and what an audience does there.
import type { AudienceComment, EndedProcessing, VideoLedger } from "../../../../control/api/video.ts";
import { send } from "../../api/request.ts";
import { createLedger } from "../parts/ledger.ts";

export const videoLedger = createLedger<VideoLedger>("video");

/** Throws ApiError. */
export async function say(comment: AudienceComment): Promise<void> {
  videoLedger.value.value = await send<VideoLedger>("video/comments", comment);
}

/** Throws ApiError. */
export async function endProcessing(order: EndedProcessing): Promise<void> {
  videoLedger.value.value = await send<VideoLedger>("video/processing", order);
}

/** Whether something goes on of which no event tells: bytes that come in, a film that is processed. */
export function isInMotion({ videos, uploads }: VideoLedger): boolean {
  return uploads.length > 0 || videos.some(({ status }) => status === "processing");
}

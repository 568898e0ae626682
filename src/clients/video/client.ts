// The video publishing service: uploading, looking after what was published, comments and statistics. Each verb is
// given the account that it acts for; what it throws names neither tokens nor addresses.
import type { VideoAccount } from "./account.ts";
import { type CommentVerbs, createCommentVerbs } from "./comment-verbs.ts";
import { createVideoDoor, type VideoDoorDependencies } from "./door.ts";
import { createInsightVerbs, type InsightVerbs } from "./insight-verbs.ts";
import type { Video } from "./read-video.ts";
import { type PiecesRequest, sendPieces } from "./send-pieces.ts";
import { createUploadSessionVerbs, type UploadSession, type UploadSessionVerbs } from "./upload-session.ts";
import { type SimpleUpload, uploadSimple } from "./upload-simple.ts";
import { fetchVideoPicture, type VideoPicture } from "./video-picture.ts";
import { createVideoVerbs, type VideoVerbs } from "./video-verbs.ts";
import { type TokenOwner, whoAmI } from "./who-am-i.ts";

/** What the bot asks of the video service. Writes are sent once: see `lost-write.ts`. */
export interface VideoClient extends UploadSessionVerbs, VideoVerbs, CommentVerbs, InsightVerbs {
  /** See {@link uploadSimple}. */
  uploadSimple(account: VideoAccount, upload: SimpleUpload): Promise<string | undefined>;
  /** See {@link sendPieces}. */
  sendPieces(request: PiecesRequest): Promise<UploadSession>;
  /** See {@link fetchVideoPicture}. */
  picture(video: Pick<Video, "picture">): Promise<VideoPicture | undefined>;
  /** See {@link whoAmI}. */
  whoAmI(account: VideoAccount): Promise<TokenOwner>;
}

/** Makes a client for all accounts. */
export function createVideoClient(dependencies: VideoDoorDependencies): VideoClient {
  const { clock } = dependencies;
  const door = createVideoDoor(dependencies);
  const verbs = createUploadSessionVerbs(door);
  return {
    ...verbs,
    ...createVideoVerbs(door, dependencies),
    ...createCommentVerbs(door),
    ...createInsightVerbs(door, clock),
    uploadSimple: (account, upload) => uploadSimple(door, account, upload),
    sendPieces: (request) => sendPieces({ verbs, clock }, request),
    picture: (video) => fetchVideoPicture(dependencies, video),
    whoAmI: (account) => whoAmI(door, account),
  };
}

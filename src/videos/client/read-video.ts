import { z } from "zod";
import { VIDEO } from "./account.ts";
import {
  loose,
  looseAmount,
  looseFlag,
  looseId,
  looseList,
  looseTime,
  objectId,
  looseObject,
  looseText,
  looseInteger,
} from "./read-values.ts";
import type { Http } from "../../core/http.ts";
import { type PictureType, sniffPicture } from "../../core/picture-type.ts";

// One status is for the whole and one for each phase; any of them may be missing or new.

/** `processing`: also if unknown. `draft`, `scheduled`: ready, but hidden. `expired`: not sent in time. */
export type VideoStage =
  | "uploading"
  | "processing"
  | "draft"
  | "scheduled"
  | "published"
  | "failed"
  | "expired";

const phase = looseObject({
  status: looseText,
  publish_status: looseText,
  // The service's documentation uses both `errors` and `error`.
  errors: loose(looseList(z.object({ message: looseText }))),
  error: looseObject({ message: looseText }),
});

const statusShape = {
  status: looseObject({
    video_status: looseText,
    processing_progress: looseAmount,
    uploading_phase: phase,
    processing_phase: phase,
    publishing_phase: phase,
  }),
  published: looseFlag,
  scheduled_publish_time: looseTime,
};

const FAILED: ReadonlySet<string | undefined> = new Set(["upload_failed", "error", "failed"]);

function readStatus({ status, published, scheduled_publish_time: at }: StatusFields) {
  const { video_status: word, processing_progress: percent, publishing_phase: publishing } = status ?? {};
  const phases = [status?.uploading_phase, status?.processing_phase, publishing];
  const words = [word, ...phases.map((one) => one?.status)];
  const isFailed = words.some((one) => FAILED.has(one)) || publishing?.publish_status === "error";
  const problem = phases.flatMap((one) => [one?.error, ...(one?.errors ?? [])]).find((one) => one?.message);
  return {
    stage: isFailed ? "failed" : stageOf(),
    /** `undefined` if the service does not say. */
    percent: isFailed ? undefined : percent && Math.min(100, Math.round(percent)),
    /** The service's description of the failure; `undefined` unless the video failed. */
    problem: isFailed ? problem?.message?.slice(0, 200) : undefined,
  };

  function stageOf(): VideoStage {
    // With all bytes there, the upload may still lack its finish.
    if (word === "uploading" || word === "upload_complete") {
      return "uploading";
    }
    if (word === "expired") {
      return word;
    }
    if (word !== undefined && word !== "ready") {
      return "processing";
    }
    if (published === true || publishing?.publish_status === "published") {
      return "published";
    }
    if (publishing?.publish_status === "scheduled" || (published === false && at !== undefined)) {
      return "scheduled";
    }
    if (publishing?.publish_status === "draft" && word === "ready") {
      return "draft";
    }
    // A ready video is not published yet; without any status, nothing is known. Both spellings occur.
    return /^completed?$/.test(publishing?.status ?? "") ? "published" : "processing";
  }
}

type StatusFields = z.output<z.ZodObject<typeof statusShape>>;

export const statusSchema = z.object(statusShape).transform(readStatus);

export const PLAIN_FIELDS =
  "id,title,description,created_time,updated_time,length,permalink_url,published,scheduled_publish_time,status,from{id}";

/** For lists: one count, and nothing that would need a second lookup for each video. */
export const LIST_FIELDS = `${PLAIN_FIELDS},views`;

/** With all counts. `source` is left out: the link changes, and the bot does not need it. */
export const ALL_FIELDS = `${PLAIN_FIELDS},picture,views,post_id,comments.limit(0).summary(true),likes.limit(0).summary(true)`;

const total = looseObject({ summary: looseObject({ total_count: looseInteger }) });

/** Times are milliseconds since the epoch; a field that the service leaves out is `undefined`. */
export function videoSchemaOf(baseUrl: URL) {
  // The site where people see the videos: for the API at `graph.example.org`, it is `www.example.org`.
  const linkBase = new URL("/", baseUrl);
  linkBase.hostname = linkBase.hostname.replace(/^graph(?:-video)?\./, "www.");
  const schema = z.object({
    id: objectId,
    title: looseText,
    description: looseText,
    created_time: looseTime,
    length: looseAmount,
    views: looseInteger,
    post_id: loose(objectId),
    permalink_url: looseText,
    picture: looseText,
    from: looseObject({ id: looseId }),
    comments: total,
    likes: total,
    ...statusShape,
  });
  return schema.transform((body) => ({
    id: body.id,
    title: body.title,
    description: body.description,
    createdAtMs: body.created_time,
    lengthSeconds: body.length,
    status: readStatus(body),
    publishAtMs: body.scheduled_publish_time,
    /** An absolute link: https, or on the service's own origin. */
    link: readLink(body.permalink_url, linkBase),
    /** The address changes, so it must not be stored. */
    picture: body.picture,
    /** The account that owns it. */
    ownerId: body.from?.id,
    /** The post that shows the video, whose id differs from the video's own. */
    postId: body.post_id,
    views: body.views,
    comments: body.comments?.summary?.total_count,
    likes: body.likes?.summary?.total_count,
  }));
}

export type VideoSchema = ReturnType<typeof videoSchemaOf>;

export type Video = Readonly<z.output<VideoSchema>> & {
  /** Comes from a separate request. */
  readonly shares?: number | undefined;
};

/** Discord's limit for a link button. */
const LONGEST_LINK = 512;

/** Links may be absolute or begin with a slash, e.g. `/reel/1020…/`. */
function readLink(link: string | undefined, linkBase: URL): string | undefined {
  const url = link === undefined ? undefined : URL.parse(link, linkBase);
  const isGood = url?.protocol === "https:" || url?.origin === linkBase.origin;
  const isForAll = url?.username === "" && url.password === "" && !url.searchParams.has("access_token");
  return isGood && isForAll && url.href.length <= LONGEST_LINK ? url.href : undefined;
}

// The video's small picture. It is on other servers than the API, and needs no token.

export interface VideoPicture {
  readonly bytes: Uint8Array;
  readonly type: "jpg" | Exclude<PictureType, "jpeg">;
}

/** Somebody who waits for a video should not wait long for its picture. */
const TIMEOUT_MS = 2_000;
const MAX_BYTES = 2 * 1024 * 1024;

export async function fetchVideoPicture(
  { http, baseUrl }: { readonly http: Pick<Http, "request">; readonly baseUrl: URL },
  { picture }: Pick<Video, "picture">,
  timeoutMs = TIMEOUT_MS,
): Promise<VideoPicture | undefined> {
  const url = picture === undefined ? null : URL.parse(picture, baseUrl);
  if (url === null) {
    return undefined;
  }
  const request = {
    service: VIDEO,
    verb: "picture",
    method: "GET",
    url,
    headers: { accept: "image/*" },
    timeoutMs,
    maxBytes: MAX_BYTES,
    retries: 0,
    guard: { ownOrigin: baseUrl.origin },
  } as const;
  return http.request(request).then(
    ({ status, bytes }) => {
      const type = status === 200 ? sniffPicture(bytes) : undefined;
      return type && type !== "heic" ? { bytes, type: type === "jpeg" ? "jpg" : type } : undefined;
    },
    () => undefined,
  );
}

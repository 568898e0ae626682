// A video as the service tells of it.
import { z } from "zod";
import { VIDEO } from "./account.ts";
import {
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

// How far a video is. The service has a word for the whole and one for each phase; any may be missing or new.

/**
 * `processing` is also what is not understood: it goes on. `draft` and `scheduled` are ready, but nobody sees them;
 * `expired` was never finished in time.
 */
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
  // The service's own guide spells it both ways.
  errors: looseList(z.object({ message: looseText }))
    .optional()
    .catch(undefined),
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
    /** Of the processing, where it is told. */
    percent: isFailed ? undefined : percent && Math.min(100, Math.round(percent)),
    /** What the service says went wrong, for logs; `undefined` unless it failed. */
    problem: isFailed ? problem?.message?.slice(0, 200) : undefined,
  };

  function stageOf(): VideoStage {
    if (word === "expired" || word === "uploading") {
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
    // Ready is not published; without any word, nothing is known. Both spellings are in use.
    return /^completed?$/.test(publishing?.status ?? "") ? "published" : "processing";
  }
}

type StatusFields = z.output<z.ZodObject<typeof statusShape>>;

export const statusSchema = z.object(statusShape).transform(readStatus);

/** The fields that every version has. */
export const PLAIN_FIELDS =
  "id,title,description,created_time,updated_time,length,permalink_url,published,scheduled_publish_time,status,from{id}";

/** For lists: one count, and no second object to be looked up for each. */
export const LIST_FIELDS = `${PLAIN_FIELDS},views`;

/** With the counts; `source` is left out, for it changes and is nobody's business. */
export const ALL_FIELDS = `${PLAIN_FIELDS},picture,views,post_id,comments.limit(0).summary(true),likes.limit(0).summary(true)`;

const total = looseObject({ summary: looseObject({ total_count: looseInteger }) });

/** Moments are milliseconds since the epoch; what the service leaves out is `undefined`. */
export function videoSchemaOf(baseUrl: URL) {
  // Where people see what the API tells of: `graph.example.org` has its pages at `www.example.org`.
  const linkBase = new URL("/", baseUrl);
  linkBase.hostname = linkBase.hostname.replace(/^graph(?:-video)?\./, "www.");
  const schema = z.object({
    id: objectId,
    title: looseText,
    description: looseText,
    created_time: looseTime,
    length: looseAmount,
    views: looseInteger,
    post_id: objectId.optional().catch(undefined),
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
    /** Whole, https or on the service's own origin. */
    link: readLink(body.permalink_url, linkBase),
    /** Where a small picture of it is to be had. It moves: not to be stored. */
    picture: body.picture,
    /** Whose it is: the account's id. */
    ownerId: body.from?.id,
    /** The post that shows it: another id than its own. */
    postId: body.post_id,
    views: body.views,
    comments: body.comments?.summary?.total_count,
    likes: body.likes?.summary?.total_count,
  }));
}

export type VideoSchema = ReturnType<typeof videoSchemaOf>;

export type Video = Readonly<z.output<VideoSchema>> & {
  /** Asked for by itself. */
  readonly shares?: number | undefined;
};

/** Buttons hold no longer ones. */
const LONGEST_LINK = 512;

/** Links may be whole or begin with a slash, e.g. `/reel/1020…/`. */
function readLink(link: string | undefined, linkBase: URL): string | undefined {
  const url = link === undefined ? undefined : URL.parse(link, linkBase);
  const isGood = url?.protocol === "https:" || url?.origin === linkBase.origin;
  const isForAll = url?.username === "" && url.password === "" && !url.searchParams.has("access_token");
  return isGood && isForAll && url.href.length <= LONGEST_LINK ? url.href : undefined;
}

// The small picture of a video that the service keeps: it stands on other servers than the service, and needs no token.

/** A picture as it came; nobody has decoded it. */
export interface VideoPicture {
  readonly bytes: Uint8Array;
  /** The end of a file's name. */
  readonly type: "jpg" | Exclude<PictureType, "jpeg">;
}

/** Who waits for a video does not wait long for its picture. */
const TIMEOUT_MS = 2_000;
const MAX_BYTES = 2 * 1024 * 1024;

/** Fetches it; `undefined` where there is none to be had: nothing depends on it. */
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

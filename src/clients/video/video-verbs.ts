// The client's verbs for videos that are already there.
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { VIDEO, type VideoAccount } from "./account.ts";
import type { VideoDoor } from "./door.ts";
import { askForFields } from "./field-fallback.ts";
import { createListVerb, type ListVerb } from "./list-verb.ts";
import { wait } from "./pace.ts";
import { ALL_FIELDS, linkBaseOf, readVideo, type Video, videoSchema } from "./read-video.ts";
import { flag, part, whole } from "./values.ts";
import { readStatus, statusShape, type VideoStatus } from "./video-status.ts";

/** What can be changed of a video; what is `undefined` stays. The service cannot make a text empty. */
export interface VideoChange {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Moves a scheduled publication, in milliseconds since the epoch. */
  readonly publishAtMs?: number | undefined;
}

/** How much is asked of a video. */
export interface ReadOptions {
  /** Shares take a second request. Default true. */
  readonly withShares?: boolean | undefined;
}

/** How a video's processing is followed. */
export interface FollowOptions {
  /** Told of each look, also of those that changed nothing. */
  readonly onStatus?: ((status: VideoStatus) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Verbs of the client; each throws as {@link VideoDoor} does, `not-found` for what is gone or not to be seen. */
export interface VideoVerbs extends ListVerb {
  /** A video with its counts; shares are `undefined` where their request fails. */
  read(account: VideoAccount, videoId: string, options?: ReadOptions): Promise<Video>;
  status(account: VideoAccount, videoId: string): Promise<VideoStatus>;
  /** Looks until there is nothing more to wait for, a quarter of an hour at most; gives the last that was seen. */
  follow(account: VideoAccount, videoId: string, options?: FollowOptions): Promise<VideoStatus>;
  /** After `outcome-unknown`, read and compare. */
  update(account: VideoAccount, videoId: string, change: VideoChange): Promise<void>;
  /** After `outcome-unknown`, read: `not-found` means that it is done. */
  delete(account: VideoAccount, videoId: string): Promise<void>;
}

const FIRST_LOOK_MS = 2_000;
const LONGEST_LOOK_MS = 15_000;
const FOLLOW_FOR_MS = 15 * 60_000;

const statusSchema = z.object(statusShape);
const postSchema = z.object({ shares: part({ count: whole }) });
const doneSchema = z.object({ success: flag }).catch({ success: undefined });

export function createVideoVerbs(
  door: VideoDoor,
  { baseUrl, clock }: { baseUrl: URL; clock: Clock },
): VideoVerbs {
  const linkBase = linkBaseOf(baseUrl);

  /** Videos have no such field, only their posts; absent means none. */
  async function countShares(account: VideoAccount, body: z.output<typeof videoSchema>) {
    const pageId = body.from?.id ?? account.id;
    if (body.post_id === undefined || (pageId === undefined && !body.post_id.includes("_"))) {
      return undefined;
    }
    const path = [body.post_id.includes("_") ? body.post_id : `${pageId}_${body.post_id}`];
    const call = { verb: "shares", method: "GET", path, query: { fields: "shares" } } as const;
    return door.ask(account, call, postSchema).then(
      ({ shares }) => shares?.count ?? 0,
      () => undefined,
    );
  }

  async function status(account: VideoAccount, videoId: string): Promise<VideoStatus> {
    const query = { fields: "status,published,scheduled_publish_time" };
    return readStatus(
      await door.ask(account, { verb: "status", method: "GET", path: [videoId], query }, statusSchema),
    );
  }

  async function write(
    account: VideoAccount,
    call: { readonly verb: string; readonly method: "POST" | "DELETE"; readonly path: readonly string[] } & {
      readonly fields?: Readonly<Record<string, string | undefined>>;
    },
  ): Promise<void> {
    const { success } = await door.ask(account, call, doneSchema);
    if (success === false) {
      throw new ServiceError(VIDEO, "rejected", `${call.verb}: success is false`);
    }
  }

  return {
    ...createListVerb(door, linkBase),
    status,
    async read(account, videoId, { withShares = true } = {}) {
      const body = await askForFields(ALL_FIELDS, (fields) =>
        door.ask(account, { verb: "read", method: "GET", path: [videoId], query: { fields } }, videoSchema),
      );
      const shares = withShares ? await countShares(account, body) : undefined;
      return { ...readVideo(body, linkBase), shares };
    },
    async follow(account, videoId, { onStatus, signal } = {}) {
      const endMs = clock.elapsed() + FOLLOW_FOR_MS;
      for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(waitMs * 1.5, LONGEST_LOOK_MS)) {
        const seen = await status(account, videoId);
        onStatus?.(seen);
        const isUnderWay = seen.stage === "uploading" || seen.stage === "processing";
        if (!isUnderWay || clock.elapsed() + waitMs > endMs) {
          return seen;
        }
        await wait(clock, waitMs, signal);
      }
    },
    async update(account, videoId, { title, description, publishAtMs }) {
      // The title that is called so everywhere else is `name` here.
      const fields = {
        name: title,
        description,
        scheduled_publish_time:
          publishAtMs === undefined ? undefined : String(Math.round(publishAtMs / 1000)),
      };
      await write(account, { verb: "update", method: "POST", path: [videoId], fields });
    },
    async delete(account, videoId) {
      await write(account, { verb: "delete", method: "DELETE", path: [videoId] });
    },
  };
}

// The client's verbs for videos that are already there.
import { z } from "zod";
import type { VideoAccount } from "./who-am-i.ts";
import type { VideoApi } from "./video-api.ts";
import {
  type Video,
  type VideoStatus,
  ALL_FIELDS,
  LIST_FIELDS,
  PLAIN_FIELDS,
  linkBaseOf,
  readStatus,
  readVideo,
  statusShape,
  videoSchema,
} from "./read-video.ts";
import {
  type Page,
  findPage,
  list,
  moment,
  objectId,
  pageOf,
  part,
  readAfter,
  text,
  whole,
} from "./read-values.ts";
import { VideoRefusal } from "./refusal.ts";
import type { VideoDetails } from "./video-source.ts";

const statusSchema = z.object(statusShape);
const postSchema = z.object({ shares: part({ count: whole }) });

/** Verbs of the client; each throws as {@link VideoApi} does, `not-found` for what is gone or not to be seen. */
export function createVideoVerbs(api: VideoApi, { baseUrl }: { readonly baseUrl: URL }) {
  const linkBase = linkBaseOf(baseUrl);

  /** Videos have no such field, only their posts; absent means none. */
  async function countShares(account: VideoAccount, body: z.output<typeof videoSchema>) {
    const pageId = body.from?.id ?? account.id;
    if (body.post_id === undefined || (pageId === undefined && !body.post_id.includes("_"))) {
      return undefined;
    }
    const path = [body.post_id.includes("_") ? body.post_id : `${pageId}_${body.post_id}`];
    const call = { verb: "shares", method: "GET", path, query: { fields: "shares" } } as const;
    return api.ask(account, call, postSchema).then(
      ({ shares }) => shares?.count ?? 0,
      () => undefined,
    );
  }

  /** How far its processing is. */
  async function status(account: VideoAccount, videoId: string): Promise<VideoStatus> {
    const query = { fields: "status,published,scheduled_publish_time" };
    return readStatus(
      await api.ask(account, { verb: "status", method: "GET", path: [videoId], query }, statusSchema),
    );
  }

  return {
    ...createListVerb(api, linkBase),
    status,
    /** A video with its counts; shares, which take a second request, are `undefined` where it fails. */
    async read(
      account: VideoAccount,
      videoId: string,
      { withShares = true }: { readonly withShares?: boolean | undefined } = {},
    ): Promise<Video> {
      const body = await askForFields(ALL_FIELDS, (fields) =>
        api.ask(account, { verb: "read", method: "GET", path: [videoId], query: { fields } }, videoSchema),
      );
      const shares = withShares ? await countShares(account, body) : undefined;
      return readVideo(body, linkBase, shares);
    },
    /**
     * Changes what is given: `undefined` stays, and the service cannot make a text empty. After `outcome-unknown`, read and
     * compare.
     */
    async update(
      account: VideoAccount,
      videoId: string,
      { title, description, publishAtMs }: VideoDetails,
    ): Promise<void> {
      // The title that is called so everywhere else is `name` here.
      const fields = {
        name: title,
        description,
        scheduled_publish_time:
          publishAtMs === undefined ? undefined : String(Math.round(publishAtMs / 1000)),
      };
      await api.write(account, { verb: "update", method: "POST", path: [videoId], fields });
    },
    /** After `outcome-unknown`, read: `not-found` means that it is done. */
    async delete(account: VideoAccount, videoId: string): Promise<void> {
      await api.write(account, { verb: "delete", method: "DELETE", path: [videoId] });
    },
  };
}

// The list of what an account has published. Newer versions of the service may refuse it: then the account's posts
// tell of the videos in them. https://developers.facebook.com/docs/graph-api/reference/page/published_posts

const PAGE_SIZE = 25;
/** Before the cursors of posts; no cursor of the service has a blank in it. */
const OF_POSTS = "posts ";
/** That it is refused, not that it went wrong; also "gone" is said of what an object does not offer. */
const NO_LIST: ReadonlySet<string | undefined> = new Set([
  "bad-request",
  "permission",
  "unsupported",
  "gone",
]);

const videoPostSchema = z.object({
  id: objectId,
  message: text,
  created_time: moment,
  permalink_url: text,
  attachments: part({ data: list(z.object({ media_type: text, target: part({ id: objectId }) })) }),
});

const POST_FIELDS = "id,message,created_time,permalink_url,attachments{media_type,target{id}}";

/** Verb of the client; throws as {@link VideoApi} does. */
function createListVerb(api: VideoApi, linkBase: URL) {
  async function listVideos(account: VideoAccount, after: string | undefined): Promise<Page<Video>> {
    // Without the type, the service lists videos in which the account is tagged.
    const query = { type: "uploaded", limit: String(PAGE_SIZE), after };
    const call = { verb: "list", method: "GET", path: [account.id ?? "me", "videos"] } as const;
    const { data, paging } = await askForFields(LIST_FIELDS, (fields) =>
      api.ask(account, { ...call, query: { ...query, fields } }, pageOf(videoSchema, PAGE_SIZE)),
    );
    const items = data.flatMap((body) => (body.id === undefined ? [] : [readVideo(body, linkBase)]));
    return { items, after: readAfter(paging) };
  }

  async function listPosts(account: VideoAccount, after: string | undefined): Promise<Page<Video>> {
    const query = {
      fields: POST_FIELDS,
      limit: String(PAGE_SIZE),
      after: after?.slice(OF_POSTS.length),
    };
    const path = [account.id ?? "me", "published_posts"];
    const call = { verb: "list posts", method: "GET", path, query } as const;
    const { data, paging } = await api.ask(account, call, pageOf(videoPostSchema, PAGE_SIZE));
    const next = readAfter(paging);
    const items = data.flatMap((post) => videosOf(post, linkBase));
    return { items: items.slice(0, PAGE_SIZE), after: next && `${OF_POSTS}${next}` };
  }

  return {
    /**
     * What the account has uploaded, the newest first; `after` is the cursor of a further page. Where only posts can be
     * had, it is what is published, without the counts, under the first line of what was said about it.
     */
    list: (account: VideoAccount, from?: string): Promise<Page<Video>> =>
      findPage(from, async (after) => {
        if (after?.startsWith(OF_POSTS)) {
          return listPosts(account, after);
        }
        try {
          return await listVideos(account, after);
        } catch (error) {
          const isRefused = error instanceof VideoRefusal && NO_LIST.has(error.trouble);
          if (!isRefused || after !== undefined) {
            throw error;
          }
          return listPosts(account, undefined).catch(() => {
            throw error;
          });
        }
      }),
  };
}

/** The videos in a post, as far as the post tells of them. */
function videosOf(post: z.output<typeof videoPostSchema>, linkBase: URL): readonly Video[] {
  const { id, message, attachments, created_time, permalink_url } = post;
  const found = attachments?.data.filter(({ media_type: type }) => type === "video") ?? [];
  const ids = new Set(found.flatMap(({ target }) => target?.id ?? []));
  const [title] = message?.split("\n") ?? [];
  const told = { title, description: message, created_time, permalink_url, post_id: id, published: true };
  return [...ids].map((videoId) => readVideo({ ...videoSchema.parse({ id: videoId }), ...told }, linkBase));
}

// The service refuses a whole question for one field that it does not have, or that this token may not read.

const ABOUT_A_FIELD: ReadonlySet<string | undefined> = new Set(["bad-request", "permission", "unsupported"]);

/** Asks for the fields that are wanted, and where they are refused for those that every version has. */
async function askForFields<T>(wanted: string, ask: (fields: string) => Promise<T>): Promise<T> {
  try {
    return await ask(wanted);
  } catch (error) {
    if (error instanceof VideoRefusal && ABOUT_A_FIELD.has(error.trouble)) {
      return ask(PLAIN_FIELDS);
    }
    throw error;
  }
}

// The list of what an account has published. Newer versions of the service may refuse it: then the account's posts
// tell of the videos in them. https://developers.facebook.com/docs/graph-api/reference/page/published_posts
import { z } from "zod";
import type { VideoAccount } from "./account.ts";
import type { VideoDoor } from "./door.ts";
import { askForFields } from "./field-fallback.ts";
import { findPage, type Page, pageOf, readAfter } from "./paging.ts";
import { LIST_FIELDS, readVideo, type Video, videoSchema } from "./read-video.ts";
import { VideoRefusal } from "./refusal.ts";
import { list, moment, objectId, part, text } from "./values.ts";

/** Verb of the client; throws as {@link VideoDoor} does. */
export interface ListVerb {
  /**
   * What the account has uploaded, the newest first; `after` is the cursor of a further page. Where only posts can be
   * had, it is what is published, without the counts, under the first line of what was said about it.
   */
  list(account: VideoAccount, after?: string): Promise<Page<Video>>;
}

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

const postSchema = z.object({
  id: objectId,
  message: text,
  created_time: moment,
  permalink_url: text,
  attachments: part({ data: list(z.object({ media_type: text, target: part({ id: objectId }) })) }),
});

const POST_FIELDS = "id,message,created_time,permalink_url,attachments{media_type,target{id}}";

export function createListVerb(door: VideoDoor, linkBase: URL): ListVerb {
  async function listVideos(account: VideoAccount, after: string | undefined): Promise<Page<Video>> {
    // Without the type, the service lists videos in which the account is tagged.
    const query = { type: "uploaded", limit: String(PAGE_SIZE), after };
    const call = { verb: "list", method: "GET", path: [account.id ?? "me", "videos"] } as const;
    const { data, paging } = await askForFields(LIST_FIELDS, (fields) =>
      door.ask(account, { ...call, query: { ...query, fields } }, pageOf(videoSchema, PAGE_SIZE)),
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
    const { data, paging } = await door.ask(account, call, pageOf(postSchema, PAGE_SIZE));
    const next = readAfter(paging);
    const items = data.flatMap((post) => videosOf(post, linkBase));
    return { items: items.slice(0, PAGE_SIZE), after: next && `${OF_POSTS}${next}` };
  }

  return {
    list: (account, from) =>
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
function videosOf(post: z.output<typeof postSchema>, linkBase: URL): readonly Video[] {
  const { id, message, attachments, created_time, permalink_url } = post;
  const found = attachments?.data.filter(({ media_type: type }) => type === "video") ?? [];
  const ids = new Set(found.flatMap(({ target }) => target?.id ?? []));
  const [title] = message?.split("\n") ?? [];
  const told = { title, description: message, created_time, permalink_url, post_id: id, published: true };
  return [...ids].map((videoId) => readVideo({ ...videoSchema.parse({ id: videoId }), ...told }, linkBase));
}

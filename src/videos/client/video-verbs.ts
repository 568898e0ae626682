import { z } from "zod";
import { type VideoAccount, videosPath } from "./account.ts";
import type { VideoApi } from "./video-api.ts";
import {
  type Video,
  type VideoSchema,
  ALL_FIELDS,
  LIST_FIELDS,
  PLAIN_FIELDS,
  statusSchema,
  videoSchemaOf,
} from "./read-video.ts";
import {
  type Page,
  findPage,
  looseFlag,
  looseId,
  looseList,
  looseTime,
  objectId,
  pageOf,
  looseObject,
  looseText,
  looseInteger,
} from "./read-values.ts";
import { VideoRefusal } from "./refusal.ts";
import { type VideoDetails, formatSeconds } from "./video-source.ts";

const postSchema = z.object({ shares: looseObject({ count: looseInteger }) });

/** Each function throws as {@link VideoApi} does: `not-found` if the object is deleted or not visible. */
export function createVideoVerbs(api: VideoApi, { baseUrl }: { readonly baseUrl: URL }) {
  const videoSchema = videoSchemaOf(baseUrl);

  /** Only posts have a count of shares, not videos. A post without that field has none. */
  async function countShares(account: VideoAccount, { ownerId = account.id, postId = "" }: Video) {
    const path = [postId.includes("_") ? postId : `${ownerId}_${postId}`];
    if (postId === "" || (ownerId === undefined && path[0] !== postId)) {
      return undefined;
    }
    return api.get(account, "shares", path, { fields: "shares" }, postSchema).then(
      ({ shares }) => shares?.count ?? 0,
      () => undefined,
    );
  }

  return {
    /** Newest first. Videos found through posts are published, titled with their post's first line, and without counts. */
    list: createListVerb(api, videoSchema),
    status(account: VideoAccount, videoId: string) {
      const query = { fields: "status,published,scheduled_publish_time" };
      return api.get(account, "status", [videoId], query, statusSchema);
    },
    /** Returns a video with its counts. Shares need a second request; they are `undefined` if it fails. */
    async read(
      account: VideoAccount,
      videoId: string,
      { withShares = false }: { readonly withShares?: boolean } = {},
    ): Promise<Video> {
      const video = await askForFields(ALL_FIELDS, (fields) =>
        api.get(account, "read", [videoId], { fields }, videoSchema),
      );
      return withShares ? { ...video, shares: await countShares(account, video) } : video;
    },
    /** `undefined` keeps a value; no text can become empty. After `outcome-unknown`, read and compare. */
    update(account: VideoAccount, videoId: string, { title, description, publishAtMs }: VideoDetails) {
      // The title is called `name` in this request only.
      const fields = { name: title, description, scheduled_publish_time: formatSeconds(publishAtMs) };
      return api.write(account, { verb: "update", path: [videoId], fields });
    },
    /** After `outcome-unknown`, read the video: `not-found` means that it is deleted. */
    delete: (account: VideoAccount, videoId: string) =>
      api.write(account, { verb: "delete", method: "DELETE", path: [videoId] }),
  };
}

// The service refuses a whole request because of one field that it does not have or that this token may not read.

const ABOUT_A_FIELD: ReadonlySet<string | undefined> = new Set(["bad-request", "permission", "unsupported"]);

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

// The list of an account's videos. Newer versions of the service may refuse it; then the account's posts are read for
// the videos in them. https://developers.facebook.com/docs/graph-api/reference/page/published_posts

const PAGE_SIZE = 25;
/** The prefix of cursors for posts. The service's own cursors contain no blank. */
const OF_POSTS = "posts ";
/** These mean that the list is refused. "Gone" also means that an object does not offer something. */
const NO_LIST: ReadonlySet<string | undefined> = new Set([...ABOUT_A_FIELD, "gone"]);

const POST_FIELDS = "id,message,created_time,permalink_url,attachments{media_type,target{id}}";

function postSchemaOf(videoSchema: VideoSchema) {
  const post = z.object({
    id: objectId,
    message: looseText,
    created_time: z.unknown().optional(),
    permalink_url: z.unknown().optional(),
    attachments: looseObject({
      data: looseList(z.object({ media_type: looseText, target: looseObject({ id: objectId }) })),
    }),
  });
  return post.transform(({ id, message, attachments, created_time, permalink_url }): readonly Video[] => {
    const found = attachments?.data.filter(({ media_type: type }) => type === "video") ?? [];
    const ids = new Set(found.flatMap(({ target }) => target?.id ?? []));
    const [title] = message?.split("\n") ?? [];
    const told = { title, description: message, created_time, permalink_url, post_id: id, published: true };
    return [...ids].map((videoId) => videoSchema.parse({ id: videoId, ...told }));
  });
}

function createListVerb(api: VideoApi, videoSchema: VideoSchema) {
  const videoPage = pageOf(videoSchema, PAGE_SIZE);
  const postPage = pageOf(postSchemaOf(videoSchema), PAGE_SIZE);

  function listVideos(account: VideoAccount, after: string | undefined): Promise<Page<Video>> {
    // Without the type, the service lists videos in which the account is tagged.
    const query = { type: "uploaded", limit: String(PAGE_SIZE), after };
    return askForFields(LIST_FIELDS, (fields) =>
      api.get(account, "list", videosPath(account), { ...query, fields }, videoPage),
    );
  }

  async function listPosts(account: VideoAccount, from: string = ""): Promise<Page<Video>> {
    const query = { fields: POST_FIELDS, limit: String(PAGE_SIZE), after: from.slice(OF_POSTS.length) };
    const path = [account.id ?? "me", "published_posts"];
    const { items, after } = await api.get(account, "list posts", path, query, postPage);
    return { items: items.flat().slice(0, PAGE_SIZE), after: after && `${OF_POSTS}${after}` };
  }

  return (account: VideoAccount, from?: string): Promise<Page<Video>> =>
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
        return listPosts(account).catch(() => {
          throw error;
        });
      }
    });
}

const FIELDS =
  "id,message,created_time,from{id,name},parent{id},comment_count,like_count,can_hide,can_remove,is_hidden";

const commentSchema = z
  .object({
    id: objectId,
    message: looseText,
    created_time: looseTime,
    from: looseObject({ id: looseId, name: looseText }),
    parent: looseObject({ id: looseId }),
    comment_count: looseInteger,
    like_count: looseInteger,
    can_hide: looseFlag,
    can_remove: looseFlag,
    is_hidden: looseFlag,
  })
  .transform((body) => ({
    id: body.id,
    /** The comment that this one answers; `undefined` if it is on the video itself. */
    parentId: body.parent?.id,
    /** `undefined` for a picture without text. */
    message: body.message,
    createdAtMs: body.created_time,
    /** `undefined` if the author may not be named. */
    author: body.from,
    replies: body.comment_count ?? 0,
    likes: body.like_count ?? 0,
    isHidden: body.is_hidden ?? false,
    /** Whether the account may hide it and delete it; `undefined` if the service does not say. */
    canHide: body.can_hide,
    canRemove: body.can_remove,
  }));

const COMMENTS_PAGE_SIZE = 10;
const commentPage = pageOf(commentSchema, COMMENTS_PAGE_SIZE);

/** Each function throws as {@link VideoApi} does. With a person's token the service returns no comments, and no error. */
export function createCommentVerbs(api: VideoApi) {
  return {
    listComments: (account: VideoAccount, aboutId: string, from?: string) =>
      findPage(from, (after) => {
        const query = {
          filter: "toplevel",
          order: "reverse_chronological",
          summary: "true",
          fields: FIELDS,
          limit: String(COMMENTS_PAGE_SIZE),
          after,
        };
        return api.get(account, "list comments", [aboutId, "comments"], query, commentPage);
      }),
    readComment: (account: VideoAccount, commentId: string) =>
      api.get(account, "read comment", [commentId], { fields: FIELDS }, commentSchema),
    addComment: (account: VideoAccount, aboutId: string, message: string) =>
      api.write(account, { verb: "add comment", path: [aboutId, "comments"], fields: { message } }),
    editComment: (account: VideoAccount, commentId: string, message: string) =>
      api.write(account, { verb: "edit comment", path: [commentId], fields: { message } }),
    /** Hides a comment, or shows it again. Its author always sees it. */
    hideComment(account: VideoAccount, commentId: string, isHidden: boolean) {
      const fields = { is_hidden: String(isHidden) };
      return api.write(account, { verb: "hide comment", path: [commentId], fields });
    },
    deleteComment: (account: VideoAccount, commentId: string) =>
      api.write(account, { verb: "delete comment", method: "DELETE", path: [commentId] }),
  };
}

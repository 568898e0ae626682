// The client's verbs for what people say below a video. Replies are comments on comments.
import { z } from "zod";
import type { VideoAccount } from "./who-am-i.ts";
import type { VideoApi } from "./video-api.ts";
import {
  type Page,
  findPage,
  flag,
  idText,
  moment,
  objectId,
  pageOf,
  part,
  readAfter,
  text,
  whole,
} from "./read-values.ts";

export interface CommentPage extends Page<VideoComment> {
  /** As the service counts; may be more than it ever shows. */
  readonly total: number | undefined;
}

const commentSchema = z.object({
  id: objectId,
  message: text,
  created_time: moment,
  from: part({ id: idText, name: text }),
  parent: part({ id: idText }),
  comment_count: whole,
  like_count: whole,
  can_hide: flag,
  can_remove: flag,
  is_hidden: flag,
});

const FIELDS =
  "id,message,created_time,from{id,name},parent{id},comment_count,like_count,can_hide,can_remove,is_hidden";
const PAGE_SIZE = 10;

/** Verbs of the client; each throws as {@link VideoApi} does. A person's token sees no comments, without an error. */
export function createCommentVerbs(api: VideoApi) {
  function write(
    account: VideoAccount,
    verb: string,
    path: readonly string[],
    fields?: Readonly<Record<string, string>>,
  ): Promise<string | undefined> {
    const method = fields === undefined ? "DELETE" : "POST";
    return api.write(account, { verb, method, path, ...(fields && { fields }) });
  }

  return {
    /** Comments of a video, or replies to a comment; the newest first. */
    listComments(account: VideoAccount, aboutId: string, from?: string): Promise<CommentPage> {
      return findPage(from, async (after) => {
        const query = {
          filter: "toplevel",
          order: "reverse_chronological",
          summary: "true",
          fields: FIELDS,
          limit: String(PAGE_SIZE),
          after,
        };
        const call = { verb: "list comments", method: "GET", path: [aboutId, "comments"], query } as const;
        const { data, paging, summary } = await api.ask(account, call, pageOf(commentSchema, PAGE_SIZE));
        return { items: data.map(readComment), after: readAfter(paging), total: summary?.total_count };
      });
    },
    async readComment(account: VideoAccount, commentId: string): Promise<VideoComment> {
      const query = { fields: FIELDS };
      const call = { verb: "read comment", method: "GET", path: [commentId], query } as const;
      return readComment(await api.ask(account, call, commentSchema));
    },
    /** Comments on a video, or replies to a comment, as the account; returns the id if the service gives it. */
    addComment: (account: VideoAccount, aboutId: string, message: string): Promise<string | undefined> =>
      write(account, "add comment", [aboutId, "comments"], { message }),
    /** Changes one of the account's own. */
    async editComment(account: VideoAccount, commentId: string, message: string): Promise<void> {
      await write(account, "edit comment", [commentId], { message });
    },
    /** Its author still sees it. */
    async hideComment(account: VideoAccount, commentId: string): Promise<void> {
      await write(account, "hide comment", [commentId], { is_hidden: "true" });
    },
    async unhideComment(account: VideoAccount, commentId: string): Promise<void> {
      await write(account, "unhide comment", [commentId], { is_hidden: "false" });
    },
    async deleteComment(account: VideoAccount, commentId: string): Promise<void> {
      await write(account, "delete comment", [commentId]);
    },
  };
}

function readComment(body: z.output<typeof commentSchema>) {
  return {
    id: body.id,
    /** The comment that it answers; `undefined` for one on the video itself. */
    parentId: body.parent?.id,
    /** `undefined` for a picture without words. */
    message: body.message,
    createdAtMs: body.created_time,
    /** `undefined` where the author may not be named. */
    author: body.from,
    replies: body.comment_count ?? 0,
    likes: body.like_count ?? 0,
    isHidden: body.is_hidden ?? false,
    /** What the account may do with it; `undefined` if the service does not say. */
    canHide: body.can_hide,
    canRemove: body.can_remove,
  };
}

export type VideoComment = Readonly<ReturnType<typeof readComment>>;

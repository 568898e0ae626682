// The client's verbs for what people say below a video. Replies are comments on comments.
import { z } from "zod";
import type { VideoAccount } from "./who-am-i.ts";
import type { Fields, VideoApi } from "./video-api.ts";
import { findPage, flag, idText, moment, objectId, pageOf, part, text, whole } from "./read-values.ts";

const FIELDS =
  "id,message,created_time,from{id,name},parent{id},comment_count,like_count,can_hide,can_remove,is_hidden";

const commentSchema = z
  .object({
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
  })
  .transform((body) => ({
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
  }));

export type VideoComment = Readonly<z.output<typeof commentSchema>>;

const PAGE_SIZE = 10;
const commentPage = pageOf(commentSchema, PAGE_SIZE);

export type CommentPage = Readonly<z.output<typeof commentPage>>;

/** Verbs of the client; each throws as {@link VideoApi} does. A person's token sees no comments, without an error. */
export function createCommentVerbs(api: VideoApi) {
  async function change(account: VideoAccount, verb: string, commentId: string, fields: Fields) {
    await api.write(account, { verb, method: "POST", path: [commentId], fields });
  }

  return {
    listComments(account: VideoAccount, aboutId: string, from?: string): Promise<CommentPage> {
      return findPage(from, (after) => {
        const query = {
          filter: "toplevel",
          order: "reverse_chronological",
          summary: "true",
          fields: FIELDS,
          limit: String(PAGE_SIZE),
          after,
        };
        return api.get(account, "list comments", [aboutId, "comments"], query, commentPage);
      });
    },
    readComment: (account: VideoAccount, commentId: string): Promise<VideoComment> =>
      api.get(account, "read comment", [commentId], { fields: FIELDS }, commentSchema),
    addComment(account: VideoAccount, aboutId: string, message: string): Promise<string | undefined> {
      const path = [aboutId, "comments"];
      return api.write(account, { verb: "add comment", method: "POST", path, fields: { message } });
    },
    editComment: (account: VideoAccount, commentId: string, message: string): Promise<void> =>
      change(account, "edit comment", commentId, { message }),
    /** Hides one, or shows it again; its author always sees it. */
    hideComment: (account: VideoAccount, commentId: string, isHidden: boolean): Promise<void> =>
      change(account, "hide comment", commentId, { is_hidden: String(isHidden) }),
    async deleteComment(account: VideoAccount, commentId: string): Promise<void> {
      await api.write(account, { verb: "delete comment", method: "DELETE", path: [commentId] });
    },
  };
}

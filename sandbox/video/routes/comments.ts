import { Hono } from "hono";
import type { GraphCall, VideoContext, VideoEnv } from "../context.ts";
import type { Comment, Video } from "../entities.ts";
import { formatMoment, parseFields, selectFields } from "../fields.ts";
import { gone, GraphError } from "../graph-error.ts";
import { formatPage } from "../paging.ts";
import { checkIsPage, checkPermission } from "../caller.ts";

const DEFAULT_FIELDS = "created_time,from,message";

export function createComments({ clock, store }: VideoContext): Hono<VideoEnv> {
  /** The video with this id, or the comment with this id and its video. */
  function findSubject(
    call: GraphCall,
    id: string,
  ): { readonly video: Video; readonly parent: Comment | undefined } {
    const parent = store.comments.get(id);
    const video = store.videos.get(parent?.videoId ?? id);
    if (video === undefined || (call.caller.kind === "page" && video.pageId !== call.caller.ownerId)) {
      throw gone(id);
    }
    return { video, parent };
  }

  /** A comment that the caller may moderate. */
  function findComment(call: GraphCall, id: string, verb: string): Comment {
    const comment = store.comments.get(id);
    if (comment === undefined) {
      throw gone(id, verb);
    }
    findSubject(call, id);
    checkMayWrite(call);
    return comment;
  }

  const formatComment =
    (fields: readonly string[], { caller }: GraphCall) =>
    (comment: Comment) => {
      const isOwn = comment.author.id === caller.ownerId;
      const replies = () =>
        store.comments
          .values()
          .filter(({ parentId }) => parentId === comment.id)
          .toArray().length;
      const readers = {
        id: () => comment.id,
        message: () => comment.message,
        created_time: () => formatMoment(comment.createdAtMs),
        from: () => (comment.author.name === undefined ? undefined : comment.author),
        parent: () => comment.parentId && { id: comment.parentId },
        comment_count: replies,
        like_count: () => 0,
        user_likes: () => false,
        can_comment: () => true,
        can_hide: () => !isOwn,
        can_like: () => true,
        can_remove: () => true,
        is_hidden: () => comment.isHidden,
        is_private: () => false,
      };
      return selectFields(readers, fields, "Comment");
    };

  return new Hono<VideoEnv>()
    .get("/:id/comments", (request) => {
      const call = request.get("call");
      const { video, parent } = findSubject(call, request.req.param("id"));
      if (call.caller.kind === "user") {
        // Not an error: a person's token sees an empty list.
        return request.json({ data: [] });
      }
      checkPermission(call.caller, "pages_read_user_content");
      const all = store.comments
        .values()
        .filter(({ videoId }) => videoId === video.id)
        .toArray();
      const isFlat = request.req.query("filter") === "stream";
      const found = all.filter((one) => isFlat || one.parentId === parent?.id);
      const isReversed = request.req.query("order") === "reverse_chronological";
      const page = formatPage(
        request,
        isReversed ? found.toReversed() : found,
        ({ id }) => id,
        formatComment(parseFields(request.req.query("fields") ?? DEFAULT_FIELDS), call),
      );
      // For a video, the service counts replies too, although its list may not show them.
      const total = parent === undefined ? all.length : found.length;
      const summary = { order: "chronological", total_count: total, can_comment: true };
      return request.json({ ...page, ...(request.req.query("summary") && { summary }) });
    })
    .get("/:id", async (request, next) => {
      const call = request.get("call");
      const comment = store.comments.get(request.req.param("id"));
      if (comment === undefined) {
        return next();
      }
      findSubject(call, comment.id);
      checkPermission(call.caller, "pages_read_user_content");
      const fields = parseFields(request.req.query("fields") ?? DEFAULT_FIELDS);
      return request.json(formatComment(fields, call)(comment));
    })
    .post("/:id/comments", (request) => {
      const call = request.get("call");
      const { video, parent } = findSubject(call, request.req.param("id"));
      checkMayWrite(call);
      const message = call.form.fields["message"] ?? "";
      checkHasWords(message);
      const author = { id: video.pageId, name: store.findPage(video.pageId)?.name };
      const id = store.addComment(video, parent, { author, message, createdAtMs: clock.now() });
      call.recordWrite({ what: "comment", id });
      return request.json(call.alteration === "no-id" ? { success: true } : { id });
    })
    .post("/:id", async (request, next) => {
      const call = request.get("call");
      const id = request.req.param("id");
      if (!store.comments.has(id)) {
        return next();
      }
      const comment = findComment(call, id, "post");
      const isOwn = comment.author.id === call.caller.ownerId;
      const { message, is_hidden: isHidden } = call.form.fields;
      if ((message !== undefined && !isOwn) || (isHidden !== undefined && isOwn)) {
        throw new GraphError(200, "(#200) The page may not do this to this comment");
      }
      checkHasWords(message ?? comment.message);
      comment.message = message ?? comment.message;
      comment.isHidden = isHidden === undefined ? comment.isHidden : isHidden === "true";
      call.recordWrite({ what: "change", id });
      return request.json({ success: call.alteration !== "success-false" });
    })
    .delete("/:id", async (request, next) => {
      const call = request.get("call");
      const id = request.req.param("id");
      if (!store.comments.has(id)) {
        return next();
      }
      findComment(call, id, "delete");
      for (const comment of store.comments.values()) {
        if (comment.id === id || comment.parentId === id) {
          store.comments.delete(comment.id);
        }
      }
      call.recordWrite({ what: "removal", id });
      return request.json({ success: call.alteration !== "success-false" });
    });
}

function checkMayWrite({ caller }: GraphCall): void {
  checkIsPage(caller);
  checkPermission(caller, "pages_manage_engagement");
}

function checkHasWords(message: string): void {
  if (message.trim() === "") {
    throw new GraphError(197, "The post is empty. Please enter a message to share.");
  }
}

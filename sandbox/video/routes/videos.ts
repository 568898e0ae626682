import { Hono } from "hono";
import type { GraphCall, VideoContext, VideoEnv } from "../context.ts";
import type { Session, Video } from "../entities.ts";
import { parseFields, selectFields } from "../fields.ts";
import { gone, GraphError, wrongParameter } from "../graph-error.ts";
import { formatPage } from "../paging.ts";
import { checkIsPage, checkPermission } from "../caller.ts";
import { progressOf } from "../progress.ts";
import { checkTexts, readScheduledTime } from "../rules.ts";
import { postFields, sessionFields, videoFields } from "../video-fields.ts";

/** The fields of an answer if the request names none. */
const LIST_FIELDS = "description,updated_time";
const POST_FIELDS = "created_time,message";

export function createVideos(standIn: VideoContext): Hono<VideoEnv> {
  const { clock, store, settings } = standIn;

  function findOwn(call: GraphCall, id: string, verb: string): Video {
    checkIsPage(call.caller);
    const video = store.videos.get(id);
    if (video === undefined || !isOwn(call, video)) {
      throw gone(id, verb);
    }
    checkPermission(call.caller, "pages_manage_posts");
    return video;
  }

  const isPublished = (video: Video): boolean => progressOf(video, clock.now()).isPublished;

  return new Hono<VideoEnv>()
    .get("/:target/videos", (request) => {
      const call = request.get("call");
      const pageId = pageOf(call, request.req.param("target"));
      if (settings.deniesVideoLists) {
        throw new GraphError(200, "(#200) This endpoint is not supported", { subcode: 2069030 });
      }
      // Without `type=uploaded`, the list has the videos in which somebody tagged the page: none here.
      const isUploaded = request.req.query("type") === "uploaded";
      const own = [...store.videos.values()].filter((video) => isUploaded && video.pageId === pageId);
      const fields = parseFields(request.req.query("fields") ?? LIST_FIELDS);
      return request.json(
        formatPage(
          request,
          own.toReversed(),
          ({ id }) => id,
          (video) => selectFields(videoFields(standIn, video), fields, "Video"),
        ),
      );
    })
    .get("/:target/published_posts", (request) => {
      const call = request.get("call");
      const pageId = pageOf(call, request.req.param("target"));
      const own = [...store.videos.values()].filter((video) => video.pageId === pageId && isPublished(video));
      const fields = parseFields(request.req.query("fields") ?? POST_FIELDS);
      return request.json(
        formatPage(
          request,
          own.toReversed(),
          ({ postId }) => postId,
          (video) => selectFields(postFields(standIn, video), fields, "Post"),
        ),
      );
    })
    .get("/:id", async (request, next) => {
      const call = request.get("call");
      const id = request.req.param("id");
      const fields = parseFields(request.req.query("fields") ?? LIST_FIELDS);
      const video = store.videos.get(id);
      const post = store.findByPost(id);
      const thing = video ?? post ?? store.findSessionOf(id);
      if (thing !== undefined && isOwn(call, thing)) {
        checkPermission(call.caller, "pages_read_engagement");
      }
      if (video !== undefined && isOwn(call, video)) {
        return request.json(selectFields(videoFields(standIn, video), fields, "Video"));
      }
      const session = store.findSessionOf(id);
      if (session !== undefined && isOwn(call, session)) {
        return request.json(selectFields(sessionFields(standIn, session), fields, "Video"));
      }
      if (post !== undefined && isOwn(call, post)) {
        return request.json(selectFields(postFields(standIn, post), fields, "Post"));
      }
      if (store.videos.values().some(({ postId }) => postId === id)) {
        // A post's id is valid only with the page's id before it.
        throw new GraphError(12, "(#12) singular statuses API is deprecated");
      }
      return next();
    })
    .post("/:id", async (request, next) => {
      const call = request.get("call");
      const id = request.req.param("id");
      if (!store.videos.has(id)) {
        return next();
      }
      const video = findOwn(call, id, "post");
      const { fields } = call.form;
      checkTexts(fields["name"], fields["description"]);
      const at = fields["scheduled_publish_time"];
      if (at !== undefined) {
        if (video.publishAtMs === undefined) {
          throw wrongParameter("You cannot specify a scheduled publish time on a published post");
        }
        video.publishAtMs = readScheduledTime(at, clock.now());
      }
      // The service ignores `title` here, because this path has no such field, and empty values.
      video.title = fields["name"] || video.title;
      video.description = fields["description"] || video.description;
      if (fields["published"] === "true") {
        video.isForPublic = true;
        video.publishAtMs = undefined;
      }
      video.updatedAtMs = clock.now();
      call.recordWrite({ what: "change", id });
      return request.json({ success: call.alteration !== "success-false" });
    })
    .delete("/:id", async (request, next) => {
      const call = request.get("call");
      const id = request.req.param("id");
      if (!store.videos.has(id)) {
        return next();
      }
      findOwn(call, id, "delete");
      store.videos.delete(id);
      call.recordWrite({ what: "removal", id });
      return request.json({ success: call.alteration !== "success-false" });
    });
}

/** Whether the caller may see an object: a page may see its own, a person those of all pages. */
function isOwn({ caller }: GraphCall, { pageId }: Video | Session): boolean {
  return caller.kind === "user" || caller.ownerId === pageId;
}

function pageOf({ caller }: GraphCall, target: string): string {
  const pageId = target === "me" ? caller.ownerId : target;
  if (caller.kind === "page" && pageId !== caller.ownerId) {
    throw gone(target);
  }
  checkPermission(caller, "pages_read_engagement");
  return pageId;
}

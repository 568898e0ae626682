// Videos that are there: listing, reading, changing, removing; and the posts that show them.
import { Hono } from "hono";
import type { Asked, VideoContext, VideoEnv } from "../context.ts";
import type { Session, Video } from "../entities.ts";
import { parseFields, say } from "../fields.ts";
import { gone, GraphError, wrongParameter } from "../graph-error.ts";
import { sayPage } from "../paging.ts";
import { checkIsPage, checkPermission } from "../caller.ts";
import { progressOf } from "../progress.ts";
import { checkTexts, readScheduledTime } from "../rules.ts";
import { sayablePost, sayableSession, sayableVideo } from "../sayable-video.ts";

/** What a list has unless asked for more. */
const LIST_FIELDS = "description,updated_time";
const POST_FIELDS = "created_time,message";

export function createVideos(standIn: VideoContext): Hono<VideoEnv> {
  const { clock, store, settings } = standIn;

  function findOwn(asked: Asked, id: string, verb: string): Video {
    checkIsPage(asked.caller);
    const video = store.videos.get(id);
    if (video === undefined || !isOwn(asked, video)) {
      throw gone(id, verb);
    }
    checkPermission(asked.caller, "pages_manage_posts");
    return video;
  }

  const isPublished = (video: Video): boolean => progressOf(video, clock.now()).isPublished;

  return new Hono<VideoEnv>()
    .get("/:target/videos", (request) => {
      const asked = request.get("asked");
      const pageId = pageOf(asked, request.req.param("target"));
      if (settings.deniesVideoLists) {
        throw new GraphError(200, "(#200) This endpoint is not supported", { subcode: 2069030 });
      }
      // Without the type, the list is of videos in which somebody tagged the page: nobody has.
      const isUploaded = request.req.query("type") === "uploaded";
      const own = [...store.videos.values()].filter((video) => isUploaded && video.pageId === pageId);
      const fields = parseFields(request.req.query("fields") ?? LIST_FIELDS);
      return request.json(
        sayPage(
          request,
          own.toReversed(),
          ({ id }) => id,
          (video) => say(sayableVideo(standIn, video), fields, "Video"),
        ),
      );
    })
    .get("/:target/published_posts", (request) => {
      const asked = request.get("asked");
      const pageId = pageOf(asked, request.req.param("target"));
      const own = [...store.videos.values()].filter((video) => video.pageId === pageId && isPublished(video));
      const fields = parseFields(request.req.query("fields") ?? POST_FIELDS);
      return request.json(
        sayPage(
          request,
          own.toReversed(),
          ({ postId }) => postId,
          (video) => say(sayablePost(standIn, video), fields, "Post"),
        ),
      );
    })
    .get("/:id", async (request, next) => {
      const asked = request.get("asked");
      const id = request.req.param("id");
      const fields = parseFields(request.req.query("fields") ?? LIST_FIELDS);
      const video = store.videos.get(id);
      const post = store.findByPost(id);
      const thing = video ?? post ?? store.findSessionOf(id);
      if (thing !== undefined && isOwn(asked, thing)) {
        checkPermission(asked.caller, "pages_read_engagement");
      }
      if (video !== undefined && isOwn(asked, video)) {
        return request.json(say(sayableVideo(standIn, video), fields, "Video"));
      }
      const session = store.findSessionOf(id);
      if (session !== undefined && isOwn(asked, session)) {
        return request.json(say(sayableSession(standIn, session), fields, "Video"));
      }
      if (post !== undefined && isOwn(asked, post)) {
        return request.json(say(sayablePost(standIn, post), fields, "Post"));
      }
      if (store.videos.values().some(({ postId }) => postId === id)) {
        // A post's id is good only with the page's before it.
        throw new GraphError(12, "(#12) singular statuses API is deprecated");
      }
      return next();
    })
    .post("/:id", async (request, next) => {
      const asked = request.get("asked");
      const id = request.req.param("id");
      if (!store.videos.has(id)) {
        return next();
      }
      const video = findOwn(asked, id, "post");
      const { fields } = asked.form;
      checkTexts(fields["name"], fields["description"]);
      const at = fields["scheduled_publish_time"];
      if (at !== undefined) {
        if (video.publishAtMs === undefined) {
          throw wrongParameter("You cannot specify a scheduled publish time on a published post");
        }
        video.publishAtMs = readScheduledTime(at, clock.now());
      }
      // `title` is a field that this path does not have: it is passed over without a word, as is what is empty.
      video.title = fields["name"] || video.title;
      video.description = fields["description"] || video.description;
      if (fields["published"] === "true") {
        video.isForPublic = true;
        video.publishAtMs = undefined;
      }
      video.updatedAtMs = clock.now();
      asked.made({ what: "change", id });
      return request.json({ success: asked.twist !== "success-false" });
    })
    .delete("/:id", async (request, next) => {
      const asked = request.get("asked");
      const id = request.req.param("id");
      if (!store.videos.has(id)) {
        return next();
      }
      findOwn(asked, id, "delete");
      store.videos.delete(id);
      asked.made({ what: "removal", id });
      return request.json({ success: asked.twist !== "success-false" });
    });
}

/** A person may see every page's. */
function isOwn({ caller }: Asked, { pageId }: Video | Session): boolean {
  return caller.kind === "user" || caller.ownerId === pageId;
}

/** The page whose things are to be listed. */
function pageOf({ caller }: Asked, target: string): string {
  const pageId = target === "me" ? caller.ownerId : target;
  if (caller.kind === "page" && pageId !== caller.ownerId) {
    throw gone(target);
  }
  checkPermission(caller, "pages_read_engagement");
  return pageId;
}

// Videos that are there: listing, reading, changing, removing; and the posts that show them.
import { Hono } from "hono";
import type { Asked, VideoContext, VideoEnv } from "../context.ts";
import type { Session, Video } from "../entities.ts";
import { parseFields, say } from "../fields.ts";
import { gone, lacking, wrongParameter } from "../graph-error.ts";
import { sayPage } from "../paging.ts";
import { readScheduledTime } from "../rules.ts";
import { sayablePost, sayableSession, sayableVideo } from "../sayable-video.ts";

/** What a list has unless asked for more. */
const LIST_FIELDS = "description,updated_time";

export function createVideos(standIn: VideoContext): Hono<VideoEnv> {
  const { clock, store } = standIn;

  function findOwn(asked: Asked, id: string, verb: string): Video {
    const video = store.videos.get(id);
    if (video === undefined || asked.caller.kind !== "page" || !isOwn(asked, video)) {
      throw gone(id, verb);
    }
    if (!asked.caller.scopes.includes("pages_manage_posts")) {
      throw lacking("pages_manage_posts");
    }
    return video;
  }

  return new Hono<VideoEnv>()
    .get("/:target/videos", (request) => {
      const { caller } = request.get("asked");
      const target = request.req.param("target");
      const pageId = target === "me" ? caller.ownerId : target;
      if (caller.kind === "page" && pageId !== caller.ownerId) {
        throw gone(target);
      }
      // Without the type, the list is of videos in which somebody tagged the page: nobody has.
      const isUploaded = request.req.query("type") === "uploaded";
      const own = [...store.videos.values()].filter((video) => isUploaded && video.pageId === pageId);
      const fields = parseFields(request.req.query("fields") ?? LIST_FIELDS);
      return request.json(
        sayPage({
          items: own.toReversed(),
          idOf: ({ id }) => id,
          sayItem: (video) => say(sayableVideo(standIn, video), fields, "Video"),
          url: new URL(request.req.url),
          token: caller.value,
        }),
      );
    })
    .get("/:id", async (request, next) => {
      const asked = request.get("asked");
      const id = request.req.param("id");
      const fields = parseFields(request.req.query("fields") ?? LIST_FIELDS);
      const video = store.videos.get(id);
      if (video !== undefined && isOwn(asked, video)) {
        return request.json(say(sayableVideo(standIn, video), fields, "Video"));
      }
      const session = store.findSessionOf(id);
      if (session !== undefined && isOwn(asked, session)) {
        return request.json(say(sayableSession(standIn, session), fields, "Video"));
      }
      const post = store.findByPost(id);
      if (post !== undefined && isOwn(asked, post)) {
        return request.json(say(sayablePost(standIn, post), fields, "Post"));
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
      const at = fields["scheduled_publish_time"];
      if (at !== undefined) {
        if (video.publishAtMs === undefined) {
          throw wrongParameter("You cannot specify a scheduled publish time on a published post");
        }
        video.publishAtMs = readScheduledTime(at, clock.now());
      }
      // `title` is a field that this path does not have: it is passed over without a word.
      video.title = fields["name"] ?? video.title;
      video.description = fields["description"] ?? video.description;
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

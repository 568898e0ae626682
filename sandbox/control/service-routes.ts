// Routes that show the services' stand-ins on the page: calls to them, published videos, and the audience's comments.
import { Hono } from "hono";
import type { Call } from "../http/stand-in.ts";
import type { Comment, Video } from "../video/entities.ts";
import { progressOf } from "../video/progress.ts";
import { answerFile } from "../video/received-file.ts";
import { PAGES } from "../video/store.ts";
import {
  audienceComment,
  type PublishedVideo,
  type ServiceCall,
  type Services,
  type VideoComment,
} from "./api/services.ts";
import type { ControlParts } from "./parts.ts";

const MAX_LISTED_CALLS = 200;

export function serviceRoutes(parts: ControlParts): Hono {
  const { clock, video } = parts;
  return new Hono()
    .get("/", (context) => context.json(formatServices(parts)))
    .get("/media/:id", (context) => {
      const found = video.videos().find(({ id }) => id === context.req.param("id"));
      return found === undefined || !progressOf(found, clock.now()).isPublished
        ? context.text("Gone", 404)
        : answerFile(found.file, context.req.header("range"));
    })
    .post("/comments", async (context) => {
      const { aboutId, message } = audienceComment.parse(await context.req.json());
      video.say(aboutId, message);
      return context.json(formatServices(parts));
    });
}

function formatServices(parts: ControlParts): Services {
  const { clock, video } = parts;
  const comments = Map.groupBy(video.comments(), ({ videoId }) => videoId);
  return {
    videos: video.videos().map((one) => formatVideo(one, comments.get(one.id) ?? [], clock.now())),
    calls: [
      ...parts.transport.ledger.map((call) => formatCall("transport", call)),
      ...parts.railData.ledger.map((call) => formatCall("rail-data", call)),
      ...parts.tfl.ledger.map((call) => formatCall("tfl", call)),
      ...parts.style.ledger.map((call) => formatCall("style", call)),
      ...video.ledger.map((call) => formatCall("video", call)),
    ]
      .toSorted((a, b) => a.atMs - b.atMs)
      .slice(-MAX_LISTED_CALLS),
  };
}

function formatCall(service: ServiceCall["service"], call: Call): ServiceCall {
  const { at, method, path, status = null, tookMs = null, fault = null } = call;
  return { service, atMs: at, method, path, status, tookMs, fault };
}

function formatVideo(video: Video, comments: readonly Comment[], nowMs: number): PublishedVideo {
  const { id, pageId, title, description, createdAtMs, file } = video;
  const { word, percent, publishing, isPublished } = progressOf(video, nowMs);
  return {
    id,
    page: PAGES.find((page) => page.id === pageId)?.name ?? pageId,
    title: title || file.name,
    description,
    createdAtMs,
    status: word,
    percent,
    publishing,
    mediaUrl: isPublished && file.chunks.length > 0 ? `_sandbox/services/media/${id}` : null,
    comments: comments.map((one) => formatComment(one, pageId)),
  };
}

function formatComment(one: Comment, pageId: string): VideoComment {
  const { id, parentId = null, author, message, createdAtMs, isHidden } = one;
  return {
    id,
    parentId,
    author: author.name ?? null,
    isByPage: author.id === pageId,
    message,
    atMs: createdAtMs,
    isHidden,
  };
}

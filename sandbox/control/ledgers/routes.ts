// The stand-ins' ledgers, their files under the page's own address, and what an audience does.
import { Hono } from "hono";
import { z } from "zod";
import { answerBytes } from "../../http/answer-bytes.ts";
import { progressOf } from "../../video/progress.ts";
import { answerFile } from "../../video/received-file.ts";
import type { AudienceComment, EndedProcessing } from "../api/video.ts";
import type { ControlParts } from "../parts.ts";
import { formatStyle } from "./style.ts";
import { formatTransport } from "./transport.ts";
import { formatVideo } from "./video.ts";

const comment = z.object({
  aboutId: z.string(),
  message: z.string().trim().min(1).max(8_000),
}) satisfies z.ZodType<AudienceComment>;

const ended = z.object({
  videoId: z.string(),
  end: z.enum(["ready", "failed"]),
}) satisfies z.ZodType<EndedProcessing>;

/** `/transport`, `/style`, `/video` and what is below them. */
export function ledgerRoutes({ clock, transport, railData, tfl, style, video }: ControlParts): Hono {
  const tellVideo = () => formatVideo(video, clock.now());
  return new Hono()
    .get("/transport", (context) => context.json(formatTransport({ transport, railData, tfl })))
    .get("/style", (context) => context.json(formatStyle(style)))
    .get("/style/outputs/:name", (context) => {
      const result = style.findResult(context.req.param("name"));
      return result === undefined
        ? context.text("Gone", 404)
        : answerBytes(result.bytes, context.req.header("range"), { "content-type": result.contentType });
    })
    .get("/video", (context) => context.json(tellVideo()))
    .get("/video/media/:id", (context) => {
      const found = video.videos().find(({ id }) => id === context.req.param("id"));
      return found === undefined || !progressOf(found, clock.now()).isPublished
        ? context.text("Gone", 404)
        : answerFile(found.file, context.req.header("range"));
    })
    .post("/video/comments", async (context) => {
      const { aboutId, message } = comment.parse(await context.req.json());
      video.say(aboutId, message);
      return context.json(tellVideo());
    })
    .post("/video/processing", async (context) => {
      const { videoId, end } = ended.parse(await context.req.json());
      video.endProcessing(videoId, end);
      return context.json(tellVideo());
    });
}

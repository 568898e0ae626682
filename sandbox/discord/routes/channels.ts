// Channels themselves, threads among them, and signs of typing.
import { z } from "zod";
import type { Platform } from "../platform.ts";
import { visibleChannel } from "../rules/bot-access.ts";
import { openThread } from "../rules/threads.ts";
import { formatChannel } from "../serialise/people.ts";
import { parseForm } from "../validate/problems.ts";
import { createRoutes, noContent, type Routes } from "./environment.ts";

export function channelRoutes(platform: Platform): Routes {
  return (
    createRoutes()
      .get("/channels/:channel", (context) =>
        context.json(formatChannel(platform, visibleChannel(platform, context.req.param("channel")))),
      )
      // Of all that can be changed of a channel, only that a thread is no longer archived.
      .patch("/channels/:channel", (context) => {
        const channel = visibleChannel(platform, context.req.param("channel"));
        parseForm(z.strictObject({ archived: z.literal(false) }), context.var.body.json);
        openThread(platform, channel, platform.state.application.id);
        return context.json(formatChannel(platform, channel));
      })
      .post("/channels/:channel/typing", (context) => {
        visibleChannel(platform, context.req.param("channel"));
        return noContent(context);
      })
  );
}

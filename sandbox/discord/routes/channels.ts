// Channels themselves, and signs of typing.
import type { Platform } from "../platform.ts";
import { visibleChannel } from "../rules/bot-access.ts";
import { formatChannel } from "../serialise/people.ts";
import { createRoutes, noContent, type Routes } from "./environment.ts";

export function channelRoutes(platform: Platform): Routes {
  return createRoutes()
    .get("/channels/:channel", (context) =>
      context.json(formatChannel(platform, visibleChannel(platform, context.req.param("channel")))),
    )
    .post("/channels/:channel/typing", (context) => {
      visibleChannel(platform, context.req.param("channel"));
      return noContent(context);
    });
}

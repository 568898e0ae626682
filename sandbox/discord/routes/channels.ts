// Channels themselves, threads among them, signs of typing, and fresh links to what was sent.
import { z } from "zod";
import { linkTo } from "../links.ts";
import type { Platform } from "../platform.ts";
import { visibleChannel } from "../rules/bot-access.ts";
import { openThread } from "../rules/threads.ts";
import { formatChannel } from "../serialise/people.ts";
import { parseForm } from "../validate/problems.ts";
import { createRoutes, noContent, type Routes } from "./environment.ts";

/** How many at once, undocumented. */
const MOST_URLS = 50;

const refreshForm = z.object({ attachment_urls: z.array(z.url().max(2048)).min(1).max(MOST_URLS) });

// Of all that can be changed of a channel, only that a thread is no longer archived.
const channelChange = z.strictObject({ archived: z.literal(false) });

export function channelRoutes(platform: Platform): Routes {
  const one = "/channels/:channel";
  return createRoutes()
    .get(one, (context) =>
      context.json(formatChannel(platform, visibleChannel(platform, context.req.param("channel")))),
    )
    .patch(one, (context) => {
      const channel = visibleChannel(platform, context.req.param("channel"));
      parseForm(channelChange, context.var.body.json);
      openThread(platform, channel, platform.state.application.id);
      return context.json(formatChannel(platform, channel));
    })
    .post(`${one}/typing`, (context) => {
      visibleChannel(platform, context.req.param("channel"));
      return noContent(context);
    })
    .post("/attachments/refresh-urls", (context) => {
      const { attachment_urls: urls } = parseForm(refreshForm, context.var.body.json);
      return context.json({
        refreshed_urls: urls.map((original) => ({ original, refreshed: refresh(platform, original) })),
      });
    });
}

/** `null` for what is not, or no longer, an attachment here. */
function refresh(platform: Platform, url: string): string | null {
  const [, channelId, id] = /\/attachments\/(\d+)\/(\d+)\//.exec(new URL(url).pathname) ?? [];
  const attachment = platform.state.attachments.get(id ?? "");
  return attachment?.channelId === channelId && attachment !== undefined
    ? linkTo(platform, attachment)
    : null;
}

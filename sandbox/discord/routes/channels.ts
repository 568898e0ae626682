// Routes for channels and threads, for typing, and for fresh links to attachments.
import { z } from "zod";
import { linkTo } from "../links.ts";
import type { Platform } from "../platform.ts";
import { visibleChannel } from "../rules/bot-access.ts";
import { openThread } from "../rules/threads.ts";
import { formatChannel } from "../serialise/people.ts";
import { parseForm } from "../validate/problems.ts";
import { createRoutes, noContent, type Routes } from "./environment.ts";

/** How many URLs one request may refresh. Undocumented. */
const MAX_URLS = 50;

const refreshForm = z.object({ attachment_urls: z.array(z.url().max(2048)).min(1).max(MAX_URLS) });

// The only change of a channel that the sandbox supports: reopening an archived thread.
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

/** Returns a fresh link; `null` if the URL is not that of an existing attachment. */
function refresh(platform: Platform, url: string): string | null {
  const [, channelId, id] = /\/attachments\/(\d+)\/(\d+)\//.exec(new URL(url).pathname) ?? [];
  const attachment = platform.state.attachments.get(id ?? "");
  return attachment?.channelId === channelId && attachment !== undefined
    ? linkTo(platform, attachment)
    : null;
}

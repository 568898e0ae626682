// Fresh links for those that expire.
import { z } from "zod";
import { linkTo } from "../links.ts";
import type { Platform } from "../platform.ts";
import { parseForm } from "../validate/problems.ts";
import { createRoutes, type Routes } from "./environment.ts";

/** How many at once, undocumented. */
const MOST_URLS = 50;

const refreshForm = z.object({ attachment_urls: z.array(z.url().max(2048)).min(1).max(MOST_URLS) });

export function attachmentRoutes(platform: Platform): Routes {
  return createRoutes().post("/attachments/refresh-urls", (context) => {
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

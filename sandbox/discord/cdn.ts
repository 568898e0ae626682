// The CDN: serves attachments at signed links, whole or in ranges. It never redirects.
import { Hono } from "hono";
import { answerBytes } from "../http/answer-bytes.ts";
import type { Attachment } from "./entities.ts";
import { isLinkValid } from "./links.ts";
import type { Platform } from "./platform.ts";
import { timeOfId } from "./snowflake.ts";

export function createCdn(platform: Platform): Hono {
  return new Hono().get("/:kind{(?:ephemeral-)?attachments}/:channel/:id/:name", (context) => {
    const { channel, id, name } = context.req.param();
    const attachment = platform.state.attachments.get(id);
    const isThere =
      attachment?.channelId === channel && attachment.filename === name && isKept(platform, attachment);
    if (!isThere || !isLinkValid(platform, new URL(context.req.url))) {
      return context.text("This content is no longer available.", 404);
    }
    return serve(attachment, context.req.header("range"));
  });
}

/** Whether a file still exists. Files that were sent with a command are deleted after a while. */
function isKept({ settings, clock }: Platform, { ephemeral, id }: Attachment): boolean {
  return !ephemeral || timeOfId(id) + settings.ephemeralFileLifeMs > clock.now();
}

function serve({ bytes, contentType, filename }: Attachment, range: string | undefined): Response {
  return answerBytes(bytes, range, {
    "content-type": contentType ?? "application/octet-stream",
    "content-disposition": `attachment; filename="${filename}"`,
  });
}

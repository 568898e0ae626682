// The CDN: attachments at signed links, whole or in ranges. It never redirects.
import { Hono } from "hono";
import type { Attachment } from "./entities.ts";
import { isLinkGood } from "./links.ts";
import type { Platform } from "./platform.ts";
import { timeOfId } from "./snowflake.ts";

/** Everything below `/attachments`. */
export function createCdn(platform: Platform): Hono {
  return new Hono().get("/attachments/:channel/:id/:name", (context) => {
    const { channel, id, name } = context.req.param();
    const attachment = platform.state.attachments.get(id);
    const isThere =
      attachment?.channelId === channel && attachment.filename === name && isKept(platform, attachment);
    if (!isThere || !isLinkGood(platform, new URL(context.req.url))) {
      return context.text("This content is no longer available.", 404);
    }
    return serve(attachment, context.req.header("range"));
  });
}

/** What came with a command is kept for a while only. */
function isKept({ settings, clock }: Platform, { ephemeral, id }: Attachment): boolean {
  return !ephemeral || timeOfId(id) + settings.ephemeralFileLifeMs > clock.now();
}

function serve(attachment: Attachment, range: string | undefined): Response {
  const { bytes } = attachment;
  const headers = {
    "content-type": attachment.contentType ?? "application/octet-stream",
    "content-disposition": `attachment; filename="${attachment.filename}"`,
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
  };
  const wanted = range === undefined ? undefined : parseRange(range, bytes.length);
  if (wanted === "unsatisfiable") {
    return new Response(null, {
      status: 416,
      headers: { ...headers, "content-range": `bytes */${bytes.length}` },
    });
  }
  const { start, end } = wanted ?? { start: 0, end: bytes.length - 1 };
  // A view of what is kept: nothing is copied, and nobody writes into it.
  const body = new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset + start, end - start + 1);
  return new Response(body, {
    status: wanted === undefined ? 200 : 206,
    headers: {
      ...headers,
      "content-length": String(body.length),
      ...(wanted === undefined ? {} : { "content-range": `bytes ${start}-${end}/${bytes.length}` }),
    },
  });
}

/** One range of bytes, ends included; `undefined` for forms that are to be ignored. */
function parseRange(
  header: string,
  sizeBytes: number,
): { readonly start: number; readonly end: number } | "unsatisfiable" | undefined {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? [];
  if (from === "" && to === "") {
    return undefined;
  }
  const start = from === "" ? Math.max(0, sizeBytes - Number(to)) : Number(from);
  const end = from === "" || to === "" ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  return start > end ? "unsatisfiable" : { start, end };
}

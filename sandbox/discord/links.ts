// Signed links to attachments. They expire on the sandbox's clock.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Attachment } from "./entities.ts";
import type { Platform } from "./platform.ts";

const hex = (timeMs: number) => Math.trunc(timeMs / 1000).toString(16);

function sign(platform: Platform, path: string, ex: string, is: string): string {
  return createHmac("sha256", platform.secret).update(`${path}?${ex}&${is}`).digest("hex");
}

/** A new link, valid for the platform's `linkLifeMs`. */
export function linkTo(platform: Platform, attachment: Attachment): string {
  const { channelId, id, filename, ephemeral } = attachment;
  const path = `/${ephemeral ? "ephemeral-" : ""}attachments/${channelId}/${id}/${encodeURIComponent(filename)}`;
  const is = hex(platform.clock.now());
  const ex = hex(platform.clock.now() + platform.settings.linkLifeMs);
  return `${platform.baseUrl}${path}?ex=${ex}&is=${is}&hm=${sign(platform, path, ex, is)}&`;
}

/** Whether a link was signed here and has not expired. */
export function isLinkValid(platform: Platform, url: URL): boolean {
  const [ex = "", is = "", hm = ""] = ["ex", "is", "hm"].map((name) => url.searchParams.get(name) ?? "");
  const expected = Buffer.from(sign(platform, url.pathname, ex, is));
  const given = Buffer.from(hm);
  const isOurs = expected.length === given.length && timingSafeEqual(expected, given);
  return isOurs && Number.parseInt(ex, 16) * 1000 > platform.clock.now();
}

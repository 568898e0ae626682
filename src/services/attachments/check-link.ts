// Links to what people attached on Discord: which are taken, and how long they live.
import { UserError } from "../../core/errors.ts";

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** Links have been seen to live for a day; one that does not say is trusted for a little less. */
const UNTOLD_LIFE_MS = 23 * 3_600_000;

/**
 * Takes a link to one of these hosts, `host[:port]` as `URL.host` writes it. https, but to this machine, where the
 * sandbox's CDN is. Throws UserError for any other.
 */
export function checkLink(url: string, hosts: readonly string[]): URL {
  const link = URL.parse(url);
  const isSafe =
    link?.protocol === "https:" || (link?.protocol === "http:" && LOOPBACK_HOSTS.has(link.hostname));
  if (!isSafe || link.username !== "" || link.password !== "" || !hosts.includes(link.host)) {
    throw new UserError(
      "I only take files that are attached on Discord itself. Please attach it and try again.",
    );
  }
  return link;
}

/** When a link ends, in milliseconds since the epoch: its `ex` says so in seconds, in hexadecimal. */
export function linkEndsAt(link: URL, nowMs: number): number {
  const ex = link.searchParams.get("ex") ?? "";
  return /^[\da-f]{1,10}$/i.test(ex) ? Number.parseInt(ex, 16) * 1000 : nowMs + UNTOLD_LIFE_MS;
}

// Merges fetched messages with those on screen. An unchanged message stays the same object, so it is not rendered again.
import type { ChatMessage } from "../../../control/chat/api.ts";

/** `fetched` contains all messages of the channel. `nowMs` is the sandbox's time, at which links expire. */
export function keepUnchanged(
  old: readonly ChatMessage[],
  fetched: readonly ChatMessage[],
  nowMs: number,
): readonly ChatMessage[] {
  const known = new Map(old.map((message) => [message.id, message]));
  return fetched.map((message) => mergeMessage(known.get(message.id), message, nowMs));
}

function mergeMessage(old: ChatMessage | undefined, next: ChatMessage, nowMs: number): ChatMessage {
  if (old === undefined || !old.attachments.every(({ url }) => isLinkValid(url, nowMs))) {
    return next;
  }
  return comparableText(old) === comparableText(next) ? old : { ...next, attachments: keepLinks(old, next) };
}

/** Keeps the links of files: each fetch signs them again, and a picture must not be loaded again only for that. */
function keepLinks(old: ChatMessage, next: ChatMessage): ChatMessage["attachments"] {
  return next.attachments.map((file) => {
    const before = old.attachments.find(({ id }) => id === file.id);
    return before === undefined ? file : { ...file, url: before.url };
  });
}

/** The link's `ex` parameter is its expiry in hexadecimal Unix seconds. */
function isLinkValid(url: string, nowMs: number): boolean {
  const [, ends = ""] = /[?&]ex=([0-9a-f]+)/.exec(url) ?? [];
  return ends === "" || Number.parseInt(ends, 16) * 1000 > nowMs;
}

/** The message as text without the signatures of its links, for comparison. */
function comparableText(message: ChatMessage): string {
  return JSON.stringify(message, (_key, value: unknown) =>
    typeof value === "string" && value.startsWith("http") ? value.replace(/\?ex=.*$/, "") : value,
  );
}

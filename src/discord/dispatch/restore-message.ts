// A component's message in the form of an edit, to put it back as it was.
import { decodeFileName } from "../message-media.ts";

/** A component as Discord sent it, e.g. `{ type: 12, items: [{ media: { url, proxy_url, … } }] }`. */
type Json = unknown;

/** Path of a file's link, e.g. `/attachments/<channel>/<attachment>/board.png`. */
const ATTACHMENT_PATH = /^\/(?:ephemeral-)?attachments\/\d+\/\d+\/([^/]+)$/;

/**
 * A message's components in the form of an edit: signed links to the message's own files, which stay, become
 * references by name.
 */
export function formatRestored(components: readonly Json[]): readonly Json[] {
  return components.map(restoreValue);
}

function restoreValue(value: Json): Json {
  if (Array.isArray(value)) {
    return value.map(restoreValue);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const entries = Object.entries(value);
  // A link button has a `url` too, which stays as it is: only media have no type.
  const name = "type" in value ? undefined : fileName(entries.find(([key]) => key === "url")?.[1]);
  return name === undefined
    ? Object.fromEntries(entries.map(([key, inner]) => [key, restoreValue(inner)]))
    : { url: `attachment://${name}` };
}

function fileName(url: Json): string | undefined {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  const name = parsed ? ATTACHMENT_PATH.exec(parsed.pathname)?.[1] : undefined;
  return name === undefined ? undefined : decodeFileName(name);
}

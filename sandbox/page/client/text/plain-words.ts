// A message's text where there is room for plain words only: above an answer to it, and read aloud. Pure.
import { formatTimestamp } from "./timestamp.ts";

/** How somebody or something is called; `undefined` where nobody knows. */
export interface Names {
  readonly user: (id: string) => string | undefined;
  readonly role: (id: string) => string | undefined;
  readonly channel: (id: string) => string | undefined;
}

const TIMESTAMP = /<t:(-?\d{1,12})(?::([tTdDfFsSR]))?>/g;
const MENTION = /<(@!?|@&|#)(\d{1,20})>/g;
const COMMAND = /<(\/[-_ \p{L}\p{N}]{1,98}):\d{1,20}>/gu;
/** What only shapes the words. */
const MARKS = /[*_~`|]|^(?:#{1,3}|-#|>) /gm;

/** Mentions and moments by name, without marks of shape. */
export function plainWords(text: string, names: Names, nowMs: number): string {
  return text
    .replaceAll(MARKS, "")
    .replaceAll(TIMESTAMP, (_, seconds: string, style: string | undefined) =>
      formatTimestamp(Number(seconds), style ?? "f", nowMs),
    )
    .replaceAll(COMMAND, "$1")
    .replaceAll(MENTION, (_, kind: string, id: string) => {
      if (kind === "#") {
        return `#${names.channel(id) ?? "unknown"}`;
      }
      return `@${(kind === "@&" ? names.role(id) : names.user(id)) ?? "unknown"}`;
    })
    .trim();
}

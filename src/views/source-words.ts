// Where an answer comes from and how fresh it is, in the small print under every answer.
import type { Temporal } from "temporal-polyfill";
import { escapeMarkdown } from "../core/reply.ts";
import { formatUkTime, formatUkDay } from "../core/uk-time.ts";
import type { Stale } from "../services/cache/answers.ts";
import { oneLine } from "../core/cut-text.ts";
import { staleSentence } from "./stale-words.ts";

/** The wording that the service's terms ask for. */
export const SOURCE = "source: http://transportapi.com/";
/** Acknowledgements of a few data sets; the rest would be noise. */
const ACKNOWLEDGEMENTS_LIMIT = 400;

/** What the small print is made from. */
export interface SourceFacts {
  readonly dataAt: Temporal.Instant;
  readonly stale: Stale | undefined;
  /** As the service words them. */
  readonly acknowledgements?: string | undefined;
}

/** Small print: when the data is from, why it is no younger, the source and whom its terms ask to be named. */
export function sourceLines({ dataAt, stale, acknowledgements }: SourceFacts): string {
  return [
    stale && staleSentence(stale),
    `-# As of ${formatUkTime(dataAt)} UK time, ${formatUkDay(dataAt)} · ${SOURCE}`,
    acknowledgements && `-# ${acknowledgementWords(acknowledgements)}`,
  ]
    .filter(Boolean)
    .join("\n");
}

/** Small print for what has no age: the source and whom its terms ask to be named. */
export function sourceNames(acknowledgements: string | undefined): string {
  return [`-# ${SOURCE}`, acknowledgements && `-# ${acknowledgementWords(acknowledgements)}`]
    .filter(Boolean)
    .join("\n");
}

/** A link to a licence. Anything longer, e.g. with a query, is no link that has to be shown as one. */
const LINK = /^https?:\/\/[\w.-]+(?:\/[\w.-]*)*,?$/;

/** The service leaves empty places between its commas, e.g. "data, , Contains". */
function acknowledgementWords(text: string): string {
  return oneLine(text.replace(/(?:\s*,)+\s*/g, ", "), ACKNOWLEDGEMENTS_LIMIT)
    .split(" ")
    .map((word) => (LINK.test(word) ? word : escapeMarkdown(word)))
    .join(" ");
}

// Where an answer comes from and how fresh it is, in the small print under every answer.
import type { Temporal } from "temporal-polyfill";
import { escapeMarkdown } from "../core/reply.ts";
import { formatUkDay, formatUkTime } from "../time/uk-time.ts";
import type { Stale } from "./answers.ts";
import { plural, joinLines, oneLine } from "../core/text.ts";

/** The wording that the service's terms ask for, as a link. */
export const SOURCE = "source: [transportapi.com](http://transportapi.com/)";
/** Acknowledgements of a few data sets; the rest would be noise. */
const ACKNOWLEDGEMENTS_LIMIT = 400;

/** Small print: when the data is from, why it is no younger, the source and whom its terms ask to be named. */
export function sourceLines({
  dataAt,
  stale,
  acknowledgements,
}: {
  readonly dataAt: Temporal.Instant;
  readonly stale: Stale | undefined;
  /** As the service words them. */
  readonly acknowledgements?: string | undefined;
}): string {
  const age = `As of ${formatUkTime(dataAt)} UK time, ${formatUkDay(dataAt)} · `;
  return `${stale ? `${staleSentence(stale)}\n` : ""}${sourceNames(acknowledgements, age)}`;
}

/** Small print for what has no age: the source and whom its terms ask to be named. */
export function sourceNames(acknowledgements: string | undefined, age = ""): string {
  return joinLines(`-# ${age}${SOURCE}`, acknowledgements && `-# ${acknowledgementWords(acknowledgements)}`);
}

/** A link to a licence. Anything longer, e.g. with a query, is no link that has to be shown as one. */
const LINK = /^https?:\/\/[\w.-]+(?:\/[\w.-]*)*,?$/;

/** The service leaves empty places between its commas, e.g. "data, , Contains". */
function acknowledgementWords(text: string): string {
  const said: string[] = [];
  for (const word of oneLine(text.replace(/(?:\s*,)+\s*/g, ", "), ACKNOWLEDGEMENTS_LIMIT).split(" ")) {
    const isLicence = LINK.test(word) && said.length > 0;
    // The address of a licence becomes a link on the word before it.
    said.push(
      isLicence
        ? `[${said.pop() ?? ""}](${word.replace(/,$/, "")})${word.endsWith(",") ? "," : ""}`
        : escapeMarkdown(word),
    );
  }
  return said.join(" ");
}

/** The kinds of failure after which an old answer is given. */
const REASONS: Partial<Record<Stale["why"], string>> = {
  "budget-spent": "the plan is used up for now",
  "own-share": "your share of the train data is used up for now",
  "server-share": "the share of the train data for people here is used up for now",
  "rate-limited": "the service is busy",
  timeout: "the service took too long",
  unavailable: "the service cannot be reached",
};

/** One short sentence or two, e.g. `I could not ask again: the plan is used up for now. This is from 12 minutes ago.` */
export function staleSentence(stale: Stale): string {
  const reason = REASONS[stale.why];
  return `I could not ask again${reason === undefined ? "" : `: ${reason}`}. This is from ${ageWords(stale)} ago.`;
}

/** e.g. `12 minutes`, `5 hours`, `3 days`: places are kept that long. */
function ageWords({ ageMinutes }: Stale): string {
  const hours = Math.round(ageMinutes / 60);
  if (hours >= 48) {
    return `${Math.round(hours / 24)} days`;
  }
  if (hours >= 2) {
    return `${hours} hours`;
  }
  return plural(ageMinutes, "minute");
}

/** For the foot of a picture, e.g. `12 min old`. */
export function staleMark({ ageMinutes }: Stale): string {
  return `${ageMinutes} min old`;
}

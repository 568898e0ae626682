// Where an answer comes from and how fresh it is, in the small print under every answer.
import { escapeMarkdown } from "../core/reply.ts";
import { formatUkDay, formatUkTime } from "../time/uk-time.ts";
import { SERVICE_NAMES, type ServiceError } from "../core/errors.ts";
import type { Staleness } from "./answers.ts";
import { SOURCES } from "./router.ts";
import type { SourceName } from "./transport-data.ts";
import { cutUnits, plural, joinLines, oneLine } from "../core/text.ts";

/** The wording that each source's terms ask for, with its link. */
export const CREDITS: Readonly<Record<SourceName, string>> = {
  transport: "source: [transportapi.com](http://transportapi.com/)",
  "rail-data": "Rail Delivery Group · Powered by [National Rail Enquiries](https://www.nationalrail.co.uk)",
  tfl: "Powered by TfL Open Data",
};
/** The credits of all sources of an answer, each once. */
export function creditsOf(
  answers: readonly { readonly source: SourceName; readonly credit?: string | undefined }[],
): string {
  return [...new Set(answers.map(({ source, credit = CREDITS[source] }) => credit))].join(" · ");
}

/** A credit without its links, for the foot of a picture. */
export function plainCredit(credit: string): string {
  return credit.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

/** Acknowledgements of a few data sets; the rest would be noise. */
const ACKNOWLEDGEMENTS_LIMIT = 400;

/** Small print: when the data is from, why it is no younger, the source and whom its terms ask to be named. */
export function sourceLines({
  dataAt,
  stale,
  credit,
  acknowledgements,
}: {
  readonly dataAt: Temporal.Instant;
  readonly stale: Staleness | undefined;
  /** Default the transport service's. */
  readonly credit?: string | undefined;
  readonly acknowledgements?: string | undefined;
}): string {
  const age = `As of ${formatUkTime(dataAt)} UK time, ${formatUkDay(dataAt)} · `;
  return `${stale ? `${staleSentence(stale)}\n` : ""}${sourceNames(acknowledgements, age, credit)}`;
}

/** Small print for what has no age: the source and whom its terms ask to be named. */
export function sourceNames(
  acknowledgements: string | undefined,
  age = "",
  credit: string = CREDITS.transport,
): string {
  return joinLines(`-# ${age}${credit}`, acknowledgements && `-# ${acknowledgementWords(acknowledgements)}`);
}

/** A link to a licence. Anything longer, e.g. with a query, is no link that has to be shown as one. */
const LINK = /^https?:\/\/[\w.-]+(?:\/[\w.-]*)*,?$/;

/** The service leaves empty places between its commas, e.g. "data, , Contains". */
function acknowledgementWords(text: string): string {
  const said: string[] = [];
  // Cut first, generously: the search for commas takes time with the square of the text's length.
  const line = cutUnits(text, 8 * ACKNOWLEDGEMENTS_LIMIT).replace(/(?:\s*,)+\s*/g, ", ");
  for (const word of oneLine(line, ACKNOWLEDGEMENTS_LIMIT).split(" ")) {
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

/** Why an old answer is given; `{}` stands for the service. */
const REASONS: Partial<Record<Staleness["why"], string>> = {
  "budget-spent": "Live data is used up for now",
  "own-share": "You've used your share of live data for now",
  "server-share": "People here have used their share of live data for now",
  "rate-limited": "{} is busy",
  timeout: "{} took too long",
  unavailable: "{} can't be reached",
};

/** e.g. `You've used your share of live data for now`; `undefined` where it was not a share that was used up. */
export function spentShareWords({ why }: Staleness): string | undefined {
  return why === "own-share" || why === "server-share" ? REASONS[why] : undefined;
}

/** The sentence for a question that no source can answer; `undefined` for other errors. */
export function explainSourceError({ service, kind }: ServiceError): string | undefined {
  if (service !== SOURCES) {
    return undefined;
  }
  return kind === "not-found"
    ? "I can only look up trains less than four hours ahead. Try an earlier time, or come back nearer the time."
    : "I have no live times for that. The person who runs this bot can add them.";
}

/** Two short sentences, e.g. `Live data is used up for now. This is 12 minutes old.` */
export function staleSentence(stale: Staleness): string {
  const { why, service = "transport" } = stale;
  const reason = REASONS[why]?.replace("{}", SERVICE_NAMES[service] ?? "The service");
  return `${reason ?? "I couldn't get anything newer"}. This is ${ageWords(stale)} old.`;
}

/** e.g. `12 minutes`, `5 hours`, `3 days`: places are kept that long. */
function ageWords({ ageMinutes }: Staleness): string {
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
export function staleMark({ ageMinutes }: Staleness): string {
  return `${ageMinutes} min old`;
}

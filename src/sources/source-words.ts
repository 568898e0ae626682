// The small print under every answer: its source and its age.
import { escapeMarkdown } from "../core/reply.ts";
import { formatUkDay, formatUkTime } from "../time/uk-time.ts";
import { formatRoughly } from "../time/words.ts";
import { SERVICE_NAMES, type ServiceError } from "../core/errors.ts";
import type { Staleness } from "./answers.ts";
import { SOURCES } from "./router.ts";
import type { SourceName } from "./transport-data.ts";
import { cutUnits, joinLines, oneLine } from "../core/text.ts";

/** The credit that each source's terms require, as Markdown. */
export const CREDITS: Readonly<Record<SourceName, string>> = {
  transport: "source: [transportapi.com](http://transportapi.com/)",
  "rail-data": "Rail Delivery Group · Powered by [National Rail Enquiries](https://www.nationalrail.co.uk)",
  tfl: "Powered by TfL Open Data",
};
export function creditsOf(
  answers: readonly { readonly source: SourceName; readonly credit?: string | undefined }[],
): string {
  return [...new Set(answers.map(({ source, credit = CREDITS[source] }) => credit))].join(" · ");
}

/** A credit without its links, for the bottom of a picture. */
export function plainCredit(credit: string): string {
  return credit.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

/** Enough for the acknowledgements of a few data sets; more would be noise. */
const ACKNOWLEDGEMENTS_LIMIT = 400;

export function sourceLines({
  dataAt,
  stale,
  credit,
  acknowledgements,
}: {
  readonly dataAt: Temporal.Instant;
  readonly stale: Staleness | undefined;
  /** Default: the transport service's. */
  readonly credit?: string | undefined;
  readonly acknowledgements?: string | undefined;
}): string {
  const age = `As of ${formatUkTime(dataAt)} UK time, ${formatUkDay(dataAt)} · `;
  return `${stale ? `${staleSentence(stale)}\n` : ""}${sourceNames(acknowledgements, age, credit)}`;
}

/** Small print without a time: the source, and the acknowledgements that its terms require. */
export function sourceNames(
  acknowledgements: string | undefined,
  age = "",
  credit: string = CREDITS.transport,
): string {
  return joinLines(`-# ${age}${credit}`, acknowledgements && `-# ${acknowledgementWords(acknowledgements)}`);
}

/** The address of a licence. Other addresses, e.g. with a query, are shown as text. */
const LINK = /^https?:\/\/[\w.-]+(?:\/[\w.-]*)*,?$/;

/** The acknowledgements as Markdown. The service's lists have empty entries, e.g. "data, , Contains". */
function acknowledgementWords(text: string): string {
  const words: string[] = [];
  // The text is cut first, generously, because the time that this pattern takes grows with the square of the length.
  const line = cutUnits(text, 8 * ACKNOWLEDGEMENTS_LIMIT).replace(/(?:\s*,)+\s*/g, ", ");
  for (const word of oneLine(line, ACKNOWLEDGEMENTS_LIMIT).split(" ")) {
    const isLicence = LINK.test(word) && words.length > 0;
    // The address of a licence becomes a link on the word before it.
    words.push(
      isLicence
        ? `[${words.pop() ?? ""}](${word.replace(/,$/, "")})${word.endsWith(",") ? "," : ""}`
        : escapeMarkdown(word),
    );
  }
  return words.join(" ");
}

/** Why an old answer is shown; `{}` is replaced with the service's name. */
const REASONS: Partial<Record<Staleness["why"], string>> = {
  "budget-spent": "Live data is used up for now",
  "own-share": "You've used your share of live data for now",
  "server-share": "People here have used their share of live data for now",
  "rate-limited": "{} is busy",
  timeout: "{} took too long",
  unavailable: "{} can't be reached",
};

/** e.g. `You've used your share of live data for now`; `undefined` if the reason is not a used-up share. */
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
  return `${reason ?? "I couldn't get anything newer"}. This is ${formatRoughly(stale.ageMinutes)} old.`;
}

/** For the bottom of a picture, e.g. `12 min old`. */
export function staleMark({ ageMinutes }: Staleness): string {
  return `${ageMinutes} min old`;
}

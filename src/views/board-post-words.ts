// The words of a channel's board that an answer to a person has not: when new data comes.
import { Temporal } from "temporal-polyfill";
import { formatUkTime } from "../core/uk-time.ts";
import type { BoardContent } from "../services/boards/boards.ts";
import type { Board } from "../services/departures/departures.ts";
import { dayAndTime } from "./board-words.ts";
import { SOURCE } from "./source-words.ts";

/** One small line: how old the data is, when it comes next, and the source as the service's terms ask for it. */
export function boardPostFooter({ dataAt }: Pick<Board, "dataAt">, nextDataMs: number | undefined): string {
  const age = `<t:${Math.floor(dataAt.epochMilliseconds / 1_000)}:R>`;
  const parts = [
    `As of ${formatUkTime(dataAt)} UK time (${age})`,
    nextDataMs === undefined ? undefined : `next update about ${dayAndTime(minuteOf(nextDataMs), dataAt)}`,
    SOURCE,
  ];
  return `-# ${parts.filter((part) => part !== undefined).join(" · ")}`;
}

/** What stands in place of the trains while nothing is known of them. Discord counts the time down. */
export function nothingKnownWords({ nextDataMs }: Pick<BoardContent, "nextDataMs">): string {
  const when =
    nextDataMs === undefined
      ? "I have no train times just now, and show them as soon as I get some."
      : `I have no train times just now. I ask again <t:${Math.ceil(nextDataMs / 1_000)}:R>.`;
  return [
    when,
    "-# They come from a service that I may only ask so often: `/about` says how often I still may.",
  ].join("\n");
}

/** Rounded up: what is due at 17:45:10 is not there at 17:45. */
function minuteOf(ms: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(Math.ceil(ms / 60_000) * 60_000);
}

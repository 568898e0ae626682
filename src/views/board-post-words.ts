// The words of a channel's board that an answer to a person has not: when new data comes.
import { formatUkTime } from "../core/uk-time.ts";
import type { BoardContent } from "../services/boards/boards.ts";
import type { Board } from "../services/departures/departures.ts";
import { nextSlot } from "../services/schedule/slots.ts";
import { relativeTime } from "./duration.ts";
import { SOURCE } from "./source-words.ts";

/** Where only the age of the data changes, a message is edited no oftener. */
export const AGE_STEP_MS = 10 * 60_000;

/**
 * One small line: how old the data is, when it comes next, and the source as the service's terms ask for it. Nobody may
 * be there to change the message when that moment has passed: it reads well as "in 5 minutes" and as "2 hours ago".
 */
export function boardPostFooter({ dataAt }: Pick<Board, "dataAt">, content: UpdateTerms): string {
  const dueMs = updateDueMs(dataAt.epochMilliseconds, content);
  const parts = [
    `As of ${formatUkTime(dataAt)} UK time (${relativeTime(dataAt.epochMilliseconds)})`,
    // A board of every 5 minutes need not change each time: without the words it would seem to be late.
    dueMs === undefined
      ? undefined
      : `next update due ${relativeTime(dueMs)}${dueMs === content.nextDataMs ? "" : " at the latest"}`,
    SOURCE,
  ];
  return `-# ${parts.filter((part) => part !== undefined).join(" · ")}`;
}

type UpdateTerms = Pick<BoardContent, "nextDataMs" | "settings">;

/** When the message changes at the latest: new data that says the same is shown only where the age takes a step. */
function updateDueMs(dataMs: number, { nextDataMs, settings }: UpdateTerms): number | undefined {
  const stepMs = (Math.floor(dataMs / AGE_STEP_MS) + 1) * AGE_STEP_MS;
  return nextDataMs === undefined || nextDataMs >= stepMs
    ? nextDataMs
    : nextSlot(settings.schedule, stepMs - 1);
}

/** What stands in place of the trains while nothing is known of them. Discord counts the time down, and then up. */
export function nothingKnownWords({ nextDataMs }: Pick<BoardContent, "nextDataMs">): string {
  const when =
    nextDataMs === undefined
      ? "I have no train times just now, and show them as soon as I get some."
      : `I have no train times just now (new ones due ${relativeTime(nextDataMs)}).`;
  return [
    when,
    "-# They come from a service that I may only ask so often: `/about` says how often I still may.",
  ].join("\n");
}

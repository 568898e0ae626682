// Asks a person which of several places they mean.
import { UserError } from "../core/errors.ts";
import { quoteText } from "../core/quote-text.ts";
import type { Reply, SelectChoice } from "../core/reply.ts";
import type { EndChoice, FoundEnd } from "../services/journeys/journeys.ts";
import { oneLine } from "../core/cut-text.ts";
import { type ChoosingArgs, formatChoosingArgs, formatEnd } from "./journey-args.ts";
import { privateCard } from "./private-card.ts";
import { sourceNames } from "./source-words.ts";

/** Discord's limit for a choice's value, less what marks a search. */
const VALUE_NAME_LIMIT = 60;
/** Begins a value that is a text to search for; a place never begins so. */
const SEARCH_MARK = "?";

/**
 * A menu of places for one end of a journey, for the person who asked. Throws a UserError with the same choices in
 * words where the menu could not remember the rest of the question.
 */
export function placeChoiceView(
  { text, choices, acknowledgements }: Extract<FoundEnd, { kind: "choose" }>,
  args: ChoosingArgs,
): Reply {
  const remembered = formatChoosingArgs(args);
  const names = choices.flatMap((choice) => (choice.kind === "end" ? [choiceLabel(choice)] : [])).slice(0, 3);
  const list = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(
    names.map((name) => quoteText(name)),
  );
  if (!remembered) {
    throw new UserError(`“${quoteText(text)}” may be ${list}. Pick one from the list as you type.`);
  }
  return privateCard([
    { type: "text", text: `Which “${quoteText(text)}” do you mean? Perhaps ${list}?` },
    {
      type: "select",
      target: { command: "journey", action: "choose", args: remembered },
      placeholder: args.side === "from" ? "Where from…" : "Where to…",
      choices: choices.map(formatChoice),
    },
    // Without the search the choices are the service's own.
    ...(choices.some(({ kind }) => kind === "search")
      ? []
      : [{ type: "text" as const, text: sourceNames(acknowledgements) }]),
  ]);
}

function formatChoice(choice: EndChoice): SelectChoice {
  return choice.kind === "search"
    ? {
        label: `Somewhere else called ${oneLine(choice.text, 40)}`,
        value: `${SEARCH_MARK}${choice.text}`,
        description: "Looks among stops, towns and places",
      }
    : {
        label: choiceLabel(choice),
        value: formatEnd(choice.end, VALUE_NAME_LIMIT),
        ...(choice.detail === undefined ? {} : { description: choice.detail }),
      };
}

function choiceLabel({ end }: Extract<EndChoice, { kind: "end" }>): string {
  return end.place.kind === "station" ? `${end.name} (${end.place.crs})` : end.name;
}

/** What was chosen: a place as written for ids, or a name to search for. */
export function parsePlaceChoice(value: string): { readonly search: string } | { readonly place: string } {
  return value.startsWith(SEARCH_MARK) ? { search: value.slice(SEARCH_MARK.length) } : { place: value };
}

// A menu of places that a name may mean. Which command takes the choice is the caller's to say.
import type { ComponentTarget } from "../core/component-id.ts";
import { escapeMarkdown, type Reply, type SelectChoice } from "../core/reply.ts";
import type { Place, PlaceChoices } from "../services/places/places.ts";
import { oneLine } from "../core/cut-text.ts";
import { PLACE_KIND_WORDS, placeDetails, placeName } from "./place-words.ts";
import { privateCard } from "./private-card.ts";
import { sourceNames } from "./source-words.ts";

/** Discord's limits for a menu. */
const CHOICES_LIMIT = 25;
const LABEL_LIMIT = 100;

/** Asks the person who named it which place is meant; the action's answer is a message of its own. `valueOf` writes a place for the action that takes it; places without a value are left out. */
export function whichPlaceView(
  { text, choices, acknowledgements }: PlaceChoices,
  target: ComponentTarget,
  valueOf: (place: Place) => string | undefined,
): Reply {
  const hint =
    choices.length < CHOICES_LIMIT ? "" : " If yours is not among them, add the town, e.g. Mill Lane York.";
  const question = `### Which one do you mean?\nSeveral fit “${escapeMarkdown(oneLine(text, 60))}”.${hint}`;
  return privateCard([
    { type: "text", text: question },
    {
      type: "select",
      target,
      placeholder: "Pick one…",
      choices: menuChoices(choices, valueOf),
    },
    { type: "text", text: sourceNames(acknowledgements) },
  ]);
}

/** Values have to differ, so a place that comes twice is offered once. */
function menuChoices(
  places: readonly Place[],
  valueOf: (place: Place) => string | undefined,
): readonly SelectChoice[] {
  const byValue = new Map<string, SelectChoice>();
  for (const place of places) {
    const value = valueOf(place);
    if (value !== undefined && !byValue.has(value)) {
      byValue.set(value, {
        label: oneLine(`${PLACE_KIND_WORDS[place.kind].sign} ${placeName(place)}`, LABEL_LIMIT),
        value,
        description: oneLine(placeDetails(place), LABEL_LIMIT),
      });
    }
  }
  return [...byValue.values()].slice(0, CHOICES_LIMIT);
}

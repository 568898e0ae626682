import { UserError } from "../src/core/errors.ts";
import { quoteText } from "../src/core/text.ts";
import type { Reply } from "../src/core/reply.ts";
import { defineCommand, defineButton } from "../src/discord/define.ts";
import type { Context, Services } from "../src/discord/define/context.ts";
import type { AutocompleteRequest, Suggestion } from "../src/discord/define/options.ts";
import type { EndChoices, FoundEnd } from "../src/travel/journeys.ts";
import {
  choosingArgs,
  formatEnd,
  journeyArgs,
  parseEnd,
  type JourneyArgs,
} from "../src/travel/journey-args.ts";
import { journeyPictureModel, journeyView } from "../src/travel/journey-view.ts";
import { parsePlaceChoice, placeChoiceView } from "../src/travel/places-view.ts";
import { viewFormatOption } from "../src/rail/view-format.ts";
import { liveStationOption } from "../src/rail/station-options.ts";
import { stationLabel } from "../src/rail/stations.ts";
import { dateOption, timeOption } from "../src/time/parse-when.ts";

const NEEDS = ["journeys", "pictures", "stations", "when"] as const;

type JourneyServices = Pick<Services, (typeof NEEDS)[number]>;

/** The modes of London's only stops that the planner finds by name. */
const FOUND_BY_NAME = /\b(?:Tube|DLR|Tram)\b/;

/** A stop's value is its name, because the planner has its own ids for stops. */
function suggestEnds({ text, recent, services }: AutocompleteRequest<"stations">): readonly Suggestion[] {
  const { stations } = services;
  const choices = stations.live
    .suggest(text, 25, recent)
    .map((station) => ({ name: stationLabel(station), value: station.stop?.name ?? station.crs, station }))
    .filter(
      ({ value, station: { stop } }) =>
        stop === undefined || (FOUND_BY_NAME.test(stop.modes) && stations.find(value) === undefined),
    );
  return [...new Map(choices.map(({ name, value }) => [value, { name, value }])).values()];
}

/** Free text with suggestions. It has no `maxLength`, so that a sentence can say that a text is too long. */
const placeOption = {
  type: "string",
  autocomplete: suggestEnds,
  recall: liveStationOption.recall,
  required: true,
} as const;

/** How many characters of an id the name of one place may take while the other is chosen. */
const NAME_LIMIT = 24;

interface JourneyOptions {
  /** The route to show in full, as `routeKey` writes it. */
  readonly route?: string | undefined;
  readonly note?: string | undefined;
}

async function showJourney(
  services: JourneyServices,
  { from: typedFrom, to: typedTo, ...args }: JourneyArgs,
  { route, note }: JourneyOptions = {},
): Promise<Reply> {
  // Both are parsed before anything is sent, so a mistake in either costs no request.
  const [readFrom, readTo] = [readEnd(services, typedFrom), readEnd(services, typedTo)];
  refuseSameName(readFrom, readTo);
  const { at, arriveBy, format } = args;
  const choose = (side: "from" | "to", found: EndChoices, other: FoundEnd): Reply =>
    placeChoiceView(found, { side, other: writeEnd(other), ...args });
  const from = await searchIfNeeded(services, readFrom);
  if (from.kind === "choose") {
    return choose("from", from, readTo);
  }
  const to = await searchIfNeeded(services, readTo);
  if (to.kind === "choose") {
    return choose("to", to, from);
  }
  const { journeys, pictures, when } = services;
  const now = when.read({ date: undefined, time: undefined }).at;
  const plan = await journeys.plan({ from: from.end, to: to.end, at: at ?? now, arriveBy }, route);
  const model = format === "picture" ? journeyPictureModel(plan) : undefined;
  return journeyView(plan, { picture: model && (await pictures.journey(model)), note, format });
}

/** Writes an end for a component's id, which carries it while the person chooses the other end. */
function writeEnd(found: FoundEnd): string {
  return found.kind === "found" ? formatEnd(found.end, NAME_LIMIT) : found.text;
}

function readEnd({ journeys }: JourneyServices, written: string): FoundEnd {
  const { text, name } = parseEnd(written);
  const found = journeys.read(text);
  return found.kind === "found" && name !== undefined ? { ...found, end: { ...found.end, name } } : found;
}

/** Searches at once for a name that is like no station's, because there is nothing else to choose. */
async function searchIfNeeded({ journeys }: JourneyServices, found: FoundEnd): Promise<FoundEnd> {
  return found.kind === "choose" && found.choices.length === 0 ? journeys.search(found.text) : found;
}

/** Throws a UserError if both names are the same. Ends that are known are compared when the journey is planned. */
function refuseSameName(from: FoundEnd, to: FoundEnd): void {
  if (from.kind === "choose" && to.kind === "choose" && from.text.toLowerCase() === to.text.toLowerCase()) {
    throw new UserError(`That's “${quoteText(from.text)}” twice. Pick a different destination.`);
  }
}

const show = defineButton(journeyArgs, ({ services }: Context<(typeof NEEDS)[number]>, args) =>
  showJourney(services, args),
);

export default defineCommand({
  description: "Find a way from one place to another by public transport",
  needs: NEEDS,
  options: {
    from: {
      ...placeOption,
      description: "Where you start: a station, place, postcode or coordinates, e.g. York or YO24 1AB",
    },
    to: {
      ...placeOption,
      description: "Where you want to go: a station, place, postcode or coordinates, e.g. Leeds",
    },
    date: dateOption,
    time: timeOption,
    arrive_by: { type: "boolean", description: "Arrive by this time instead of leaving at it" },
    view: viewFormatOption,
  },
  async run({
    options: { from, to, arrive_by: arriveBy = false, view: format = "picture", ...whenText },
    services,
  }) {
    const { at, isNow, note } = services.when.read(whenText);
    if (arriveBy && isNow) {
      throw new UserError("When do you need to be there? Add a time, e.g. 17:31.");
    }
    const args = {
      // In ids, an asterisk separates a place from its name, so one that a person types becomes a space.
      from: from.replaceAll("*", " "),
      to: to.replaceAll("*", " "),
      at: isNow ? undefined : at,
      arriveBy,
      format,
    } as const;
    return showJourney(services, args, { note });
  },
  buttons: { earlier: show, later: show, return: show, look: show },
  selects: {
    route: {
      args: journeyArgs,
      run: ({ args, chosen, services }) => showJourney(services, args, { route: chosen[0] }),
    },
    choose: {
      args: choosingArgs,
      answers: "public",
      async run({ args: { side, other, ...rest }, chosen, services }) {
        const { text, isSearch } = parsePlaceChoice(chosen[0] ?? "");
        const found = isSearch ? await services.journeys.search(text) : undefined;
        if (found?.kind === "choose") {
          return placeChoiceView(found, { side, other, ...rest });
        }
        const place = found ? writeEnd(found) : text;
        return showJourney(services, { ...rest, from: other, to: other, [side]: place });
      },
    },
  },
});

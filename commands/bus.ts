import { UserError } from "../src/core/errors.ts";
import type { Reply } from "../src/core/reply.ts";
import { defineCommand, defineButton } from "../src/discord/define.ts";
import type { Context, Services } from "../src/discord/define/context.ts";
import type { AutocompleteRequest, Suggestion } from "../src/discord/define/options.ts";
import { PLACE_TEXT_LIMIT, parsePlace } from "../src/travel/parse-place.ts";
import { viewFormatOption } from "../src/rail/view-format.ts";
import { joinCommas, oneLine } from "../src/core/text.ts";
import { busArgs, type BusArgs } from "../src/travel/places-args.ts";
import { busPictureModel, busView } from "../src/travel/bus-view.ts";
import { whichPlaceView } from "../src/travel/places-view.ts";

const NEEDS = ["buses", "pictures", "places", "stations"] as const;

/** Stops from earlier answers, then stations, for the stops near them; a station that is named in full is first. */
function suggestStops({ text, services }: AutocompleteRequest<"places" | "stations">): readonly Suggestion[] {
  const stops = services.places.suggestStops(text, 15).map((stop) => ({
    name: oneLine(joinCommas(stop.name, stop.locality), 100),
    value: stop.atco ?? stop.name,
  }));
  const bare = text.replace(/\s+station$/i, "");
  const stations = services.stations
    .suggest(bare, 25 - stops.length)
    .map(({ crs, name }) => ({ name: `Stops near ${name} station`, value: crs }));
  const isNamed = bare !== text && services.stations.find(bare) !== undefined;
  return isNamed ? [...stations.slice(0, 1), ...stops, ...stations.slice(1)] : [...stops, ...stations];
}

async function showStop(
  { buses, pictures }: Pick<Services, "buses" | "pictures">,
  { atco, ...view }: BusArgs,
): Promise<Reply> {
  const board = await buses.stop(atco);
  const model = view.format === "picture" ? busPictureModel(board, view.skip) : undefined;
  return busView(board, view, model && (await pictures.board(model)));
}

const show = defineButton(busArgs, ({ services }: Context<"buses" | "pictures">, args) =>
  showStop(services, args),
);

export default defineCommand({
  description: "See the next buses from a stop, live where possible",
  needs: NEEDS,
  options: {
    stop: {
      type: "string",
      description: "The stop's name or code, or a station, postcode or coordinates near it",
      required: true,
      maxLength: PLACE_TEXT_LIMIT,
      autocomplete: suggestStops,
    },
    view: viewFormatOption,
  },
  async run({ options, services }) {
    const found = await services.buses.findStop(parsePlace(options.stop, services.stations));
    if ("choices" in found) {
      const target = { command: "bus", action: "pick" };
      return whichPlaceView(found, target, ({ atco }) => atco);
    }
    return showStop(services, { atco: found.atco, skip: 0, format: options.view ?? "picture" });
  },
  buttons: { show, refresh: show, back: show, more: show, look: show },
  selects: {
    pick: {
      answers: "public",
      run: ({ chosen, services }) => {
        const stop = busArgs.decode({ s: chosen[0] ?? "" });
        if (!stop) {
          throw new UserError("That menu is out of date. Please use `/bus` again.");
        }
        return showStop(services, stop);
      },
    },
  },
});

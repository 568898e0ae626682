// The parts that /departures and /arrivals share: options, the board as the answer, and its buttons.
import { UserError } from "../core/errors.ts";
import { type Reply, buttonTo, escapeMarkdown, textReply } from "../core/reply.ts";
import { joinLines, quoteText } from "../core/text.ts";
import type { ButtonDefinition, SelectDefinition } from "../discord/define.ts";
import type { AutocompleteRequest, Values } from "../discord/define/options.ts";
import type { Services } from "../discord/define/context.ts";
import {
  BOARD_TEXT_LIMITS,
  type BoardAction,
  type BoardArgs,
  DEFAULT_ROWS,
  MAX_ROWS,
  boardArgs,
  fitsBoardArgs,
} from "./board-args.ts";
import { boardPictureModel } from "./board-picture-view.ts";
import { boardView, messagesView } from "./board-view.ts";
import type { Board, BoardKind } from "./departures.ts";
import { lineOf, suggestLines } from "./london.ts";
import { type Station, type Stations, UnknownStationError } from "./stations.ts";
import { viewFormatOption } from "./view-format.ts";
import { linesOfTypedStation } from "./station-options.ts";
import { findOperator, operatorChoice, suggestOperators } from "./operators.ts";
import {
  type MakeWatchButton,
  parseTrainChoice,
  type TrainMenuArgs,
  trainMenuArgs,
  trainView,
} from "./train-view.ts";

export const BOARD_NEEDS = ["departures", "pictures", "stations", "trains"] as const;

type BoardServices = Pick<Services, (typeof BOARD_NEEDS)[number]>;

export const boardOptions = {
  operator: {
    type: "string",
    description: "Only trains of this company or line, e.g. LNER",
    maxLength: BOARD_TEXT_LIMITS.operator,
    autocomplete({
      text,
      typed,
      services,
    }: Pick<AutocompleteRequest<"stations">, "text" | "typed" | "services">) {
      const lines = linesOfTypedStation({ typed, services });
      return lines === undefined
        ? suggestOperators(text).map(operatorChoice)
        : suggestLines(
            text,
            lines.map((id) => lineOf(id)),
          ).map(({ name }) => name);
    },
  },
  platform: {
    type: "string",
    description: "One platform, e.g. 3 or 4a",
    maxLength: BOARD_TEXT_LIMITS.platform,
  },
  rows: {
    type: "integer",
    description: `How many trains to show (default: ${DEFAULT_ROWS})`,
    min: 1,
    max: MAX_ROWS,
  },
  view: viewFormatOption,
} as const;

interface BoardChoice extends Partial<Values<typeof boardOptions>> {
  readonly station: string;
  readonly via: string | undefined;
}

/** Throws a UserError for a station that resembles none, and for a filter that is too long to be one. */
export function chooseBoard(
  services: BoardServices,
  kind: BoardKind,
  choice: BoardChoice,
): Reply | Promise<Reply> {
  const operator = choice.operator?.trim() || undefined;
  const { stations } = services;
  const station = findStation(stations.live, choice.station);
  const via = choice.via === undefined ? undefined : findWayStation(stations, choice.via);
  const args = {
    operator: operator && (findOperator(operator)?.name ?? operator),
    platform: choice.platform?.trim() || undefined,
    rows: choice.rows ?? DEFAULT_ROWS,
    format: choice.view ?? "picture",
    from: undefined,
  } as const;
  if (!fitsBoardArgs(args)) {
    throw new UserError(
      "I don't know an operator or platform by that name. Pick an operator from the list as you type.",
    );
  }
  if (station instanceof UnknownStationError) {
    if (via instanceof UnknownStationError) {
      throw station;
    }
    return whichStationView(kind, station, (crs) => ({ ...args, station: crs, via: via?.crs }));
  }
  if (via instanceof UnknownStationError) {
    return whichStationView(kind, via, (crs) => ({ ...args, station: station.crs, via: crs }));
  }
  const note = joinLines(
    guessNote(services, choice.station, station),
    via && guessNote(services, choice.via ?? "", via),
  );
  return showBoard(services, kind, { ...args, station: station.crs, via: via?.crs }, note || undefined);
}

/** Returns the station, or an error with similar ones to ask about. Throws a UserError if none is similar. */
function findStation(stations: Pick<Stations["live"], "resolve">, text: string) {
  try {
    return stations.resolve(text);
  } catch (error) {
    if (error instanceof UnknownStationError && error.near.length > 0) {
      return error;
    }
    throw error;
  }
}

/**
 * Prefers a railway station to a tube stop of the same name, because a board cannot be filtered by a stop. If the text
 * names only a stop, returns that stop, so that the error can name it.
 */
function findWayStation(stations: Stations, text: string) {
  return stations.find(text) ?? stations.live.find(text) ?? findStation(stations, text);
}

function guessNote({ stations }: BoardServices, typed: string, { name }: Station): string | undefined {
  return stations.live.find(typed) === undefined
    ? `-# Showing ${escapeMarkdown(name)} for “${quoteText(typed)}”.`
    : undefined;
}

function whichStationView(
  kind: BoardKind,
  { question, near }: UnknownStationError,
  argsFor: (crs: string) => BoardArgs,
): Reply {
  const buttons = near.map(({ crs, name }) =>
    buttonTo(name, { command: kind, action: "pick", args: boardArgs.encode(argsFor(crs)) }),
  );
  return textReply(`${question} Did you mean one of these?`, "private", buttons);
}

async function showBoard(
  services: BoardServices,
  kind: BoardKind,
  args: BoardArgs,
  note?: string,
): Promise<Reply> {
  const { format } = args;
  const board = await askBoard(services, kind, args);
  const picture = format === "picture" ? await services.pictures.board(boardPictureModel(board)) : undefined;
  return boardView(board, picture, note);
}

function askBoard({ departures, stations }: BoardServices, kind: BoardKind, args: BoardArgs): Promise<Board> {
  const { station, via, format: _format, ...filters } = args;
  return departures.board({
    kind,
    station: stations.live.resolve(station),
    via: via === undefined ? undefined : stations.live.resolve(via),
    ...filters,
  });
}

export function boardButtons(
  kind: BoardKind,
): Readonly<Record<BoardAction, ButtonDefinition<keyof BoardServices, BoardArgs>>> {
  const show: ButtonDefinition<keyof BoardServices, BoardArgs> = {
    args: boardArgs,
    run: ({ args, services }) => showBoard(services, kind, args),
  };
  return {
    refresh: show,
    earlier: show,
    now: show,
    later: show,
    turn: show,
    look: show,
    // The question of which station is meant is private, but the board is public.
    pick: { ...show, answers: "public" },
    messages: {
      args: boardArgs,
      answers: "private",
      run: async ({ args, services }) => messagesView(await askBoard(services, kind, args)),
    },
  };
}

/** The menu of these commands and of /timetable; it opens a train privately for the person who chose it. */
export function trainSelect(
  command: BoardKind | "timetable",
  watchButton: MakeWatchButton,
): SelectDefinition<"trains", TrainMenuArgs> {
  const kind = command === "timetable" ? "departures" : command;
  return {
    args: trainMenuArgs,
    // A new message also under a private preview, because the preview must keep its buttons.
    answers: "private",
    async run({ args, chosen, services }) {
      const reference = parseTrainChoice(chosen[0] ?? "", args, kind);
      if (!reference) {
        throw new UserError(`That menu is out of date. Please use \`/${command}\` again.`);
      }
      return trainView(await services.trains.open(reference), reference, watchButton);
    },
  };
}

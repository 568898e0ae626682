// A coloured line for each operator, worst first, with details behind a menu.
import { sliceFrom } from "../core/pages.ts";
import {
  type ArgsOf,
  anyText,
  textLike,
  defineArgs,
  integer,
  oneOf,
  optional,
  withDefault,
  sizeInId,
} from "../core/component-id.ts";
import {
  type ActionButton,
  buttonTo,
  ACCENT,
  CHOICES_LIMIT,
  SUCCESS_ACCENT,
  type Part,
  type Reply,
  card,
  escapeMarkdown,
  menu,
  privateCard,
} from "../core/reply.ts";
import type { NetworkLine, NetworkMode, NetworkQuestion, NetworkState } from "./network.ts";
import { dayAndTime } from "../rail/board-words.ts";
import { PLACE_CODE } from "../rail/london.ts";
import { OPERATOR_LIMIT, findOperator } from "../rail/operators.ts";
import { joinDots, joinLines, oneLine, plural, upperFirst } from "../core/text.ts";
import { sourceLines, staleMark } from "../sources/source-words.ts";

/** This many lines fill half a phone's screen. */
const LINES_SHOWN = 10;
/** Up to this many of London's lines show their reason; with more, the menu opens it. */
const REASONS_SHOWN = 5;
/** Up to this many lines that run well, or are closed, are named; more are only counted. */
const MAX_CALM_LINES = 5;

export const MODE_WORDS: Readonly<Record<NetworkMode, { readonly sign: string; readonly many: string }>> = {
  train: { sign: "🚆", many: "Trains" },
  tube: { sign: "🚇", many: "Tube and metro" },
  tram: { sign: "🚊", many: "Trams" },
  bus: { sign: "🚌", many: "Buses" },
  ferry: { sign: "⛴️", many: "Ferries" },
  other: { sign: "🔀", many: "Others" },
};

const SIGNS: Readonly<Record<NetworkLine["severity"], string>> = {
  severe: "🔴",
  minor: "🟡",
  closed: "⚫",
  good: "🟢",
};

const CALM_HEADINGS = { closed: "Closed now", good: "Running well" } as const;

/** `skip`: how many disrupted lines to leave out. `watchButton`: if these disruptions can be watched. */
export function networkView(
  state: NetworkState,
  question: NetworkQuestion,
  skip: number,
  watchButton?: ActionButton,
): Reply {
  const disrupted = state.lines.filter(({ severity }) => severity === "severe" || severity === "minor");
  const { start, shown, before, after } = sliceFrom(disrupted, skip, LINES_SHOWN);
  const hasReasons = shown.filter(({ line }) => line !== undefined).length <= REASONS_SHOWN;
  const button = (label: string, action: NetworkAction, more: Partial<NetworkArgs>) =>
    buttonTo(label, networkTarget(action, question, more));
  return card(
    [
      heading(question),
      state.lines.length === 0 ? nothingWords(state, question) : undefined,
      shown.map((line) => joinLines(lineMarkdown(line), hasReasons && reasonMarkdown(line))).join("\n"),
      calmLinesMarkdown("closed", state),
      calmLinesMarkdown("good", state),
      basisWords(state, question),
      state.missing.map((source) => MISSING[source]).join("\n"),
      state.londonStale &&
        `-# The status of London's lines is ${staleMark(state.londonStale)}: I couldn't get anything newer.`,
      state.credit && sourceLines(state),
      detailsMenu(disrupted),
      [
        button("Refresh", "refresh", { skip: start }),
        before !== undefined && button("Back", "back", { skip: before }),
        after !== undefined && button("More", "more", { skip: after }),
        state.busDisruptions > 0 && button(`Buses (${state.busDisruptions})`, "mode", { mode: "bus" }),
        question.mode !== undefined && button("All but buses", "mode", { mode: undefined }),
        watchButton,
      ],
    ],
    disrupted.length === 0 ? SUCCESS_ACCENT : ACCENT,
  );
}

function heading({ mode, operator, near }: NetworkQuestion): string {
  const filters = joinDots(
    mode && MODE_WORDS[mode].many,
    operator && (findOperator(operator)?.name ?? escapeMarkdown(oneLine(operator, 40))),
    near && `near ${escapeMarkdown(near.name)}`,
  );
  return `### Network status${filters && `\n-# ${upperFirst(filters)}`}`;
}

const UNKNOWN_TRAINS =
  "nobody has opened a departure board lately, so I don't know how trains are running. Add `near`, e.g. York, or use `/departures`.";

function nothingWords(
  { stations, isNational }: NetworkState,
  { mode, operator, near }: NetworkQuestion,
): string {
  if (mode === "bus") {
    return isNational
      ? "🟢 No bus disruptions are reported."
      : "I don't know how buses are running: my sources don't say. **All but buses** shows the rest.";
  }
  return operator || near || mode || stations === undefined
    ? "Nothing is reported here. Try leaving out a filter."
    : upperFirst(UNKNOWN_TRAINS);
}

const MISSING: Readonly<Record<NetworkState["missing"][number], string>> = {
  transport: "-# I couldn't get anything from the train data service, so some operators are missing.",
  "rail-data": "-# I couldn't get anything from National Rail, so the operators' own reports are missing.",
  tfl: "-# I couldn't get anything from Transport for London, so its lines are missing.",
  board: "-# I couldn't get this station's departures, so some operators may be missing.",
};

function basisWords({ stations, lines }: NetworkState, { mode, near }: NetworkQuestion): string | undefined {
  if (stations === undefined || (mode !== undefined && mode !== "train")) {
    return undefined;
  }
  if (stations === 0) {
    return lines.length === 0 || near ? undefined : `-# Trains: ${UNKNOWN_TRAINS}`;
  }
  const where = near
    ? `the board of ${escapeMarkdown(near.name)}`
    : `the ${stations === 1 ? "board" : "boards"} of ${plural(stations, "station")} that people opened recently`;
  return `-# Trains: based on ${where}.`;
}

function lineMarkdown({ mode, name, severity, state }: NetworkLine): string {
  const sign = mode === "train" ? SIGNS[severity] : `${SIGNS[severity]} ${MODE_WORDS[mode].sign}`;
  return `${sign} ${joinDots(`**${escapeMarkdown(oneLine(name, 80))}**`, state && escapeMarkdown(stateWords(state)))}`;
}

function reasonMarkdown({ line, entries }: NetworkLine): string | undefined {
  const reason = entries.find(({ description }) => description !== undefined)?.description;
  return line && reason && `-# ${escapeMarkdown(oneLine(reason, 160))}`;
}

/** Operators write `MINOR DELAYS` in capitals. */
function stateWords(state: string): string {
  const line = oneLine(state.replaceAll("_", " "), 80);
  return line === line.toUpperCase() ? `${line.slice(0, 1)}${line.slice(1).toLowerCase()}` : line;
}

/** Lines that run well, or are closed: by name if they are few, otherwise only counted. */
function calmLinesMarkdown(severity: keyof typeof CALM_HEADINGS, state: NetworkState): string {
  const lines = state.lines.filter((line) => line.severity === severity);
  if (lines.length <= MAX_CALM_LINES) {
    return lines.map(lineMarkdown).join("\n");
  }
  const counts = [...Map.groupBy(lines, ({ mode }) => mode)].map(
    ([mode, some]) => `${MODE_WORDS[mode].many.toLowerCase()} ${some.length}`,
  );
  return `${SIGNS[severity]} **${CALM_HEADINGS[severity]}:** ${counts.join(", ")}`;
}

function detailsMenu(disrupted: readonly NetworkLine[]): Part {
  return menu(
    { command: "network", action: "details" },
    "Details…",
    disrupted.slice(0, CHOICES_LIMIT).map((line) => ({
      label: oneLine(`${SIGNS[line.severity]} ${line.name}`, 100),
      value: lineKey(line),
      ...(line.state !== undefined && { description: oneLine(stateWords(line.state), 100) }),
    })),
  );
}

/** Identifies a line in the menu, also after a restart. */
export function lineKey({ mode, name }: NetworkLine): string {
  return oneLine(`${mode} ${name}`, 100);
}

const DETAILS_SHOWN = 8;

export function networkLineView(line: NetworkLine, state: NetworkState): Reply {
  const reports = line.entries.slice(0, DETAILS_SHOWN).map(({ description, from, until }) => {
    const isAhead = from && from.epochMilliseconds > state.dataAt.epochMilliseconds;
    const span = joinDots(
      isAhead && `From ${dayAndTime(from, state.dataAt)}`,
      until && `Until ${dayAndTime(until, state.dataAt)}`,
    );
    return joinLines(description && escapeMarkdown(oneLine(description, 400)), span && `-# ${span}`);
  });
  const over = line.entries.length - reports.length;
  return privateCard([
    `### ${escapeMarkdown(oneLine(line.name, 80))}\n${lineMarkdown(line)}`,
    joinLines(...reports) || "The operator gives no details.",
    over > 0 && `-# and ${over} more`,
    state.credit && sourceLines(state),
  ]);
}

export const networkArgs = defineArgs({
  skip: ["o", withDefault(integer(0, 1_000), 0)],
  mode: ["m", optional(oneOf({ train: "t", tube: "u", tram: "m", bus: "b", ferry: "f", other: "o" }))],
  operator: ["p", optional(anyText(OPERATOR_LIMIT))],
  near: ["n", optional(textLike(PLACE_CODE))],
});

export type NetworkArgs = ArgsOf<typeof networkArgs>;
type NetworkAction = "refresh" | "back" | "more" | "mode";

function networkTarget(
  action: NetworkAction,
  { mode, operator, near }: NetworkQuestion,
  more: Partial<NetworkArgs>,
) {
  const isShort = operator !== undefined && sizeInId(operator) <= OPERATOR_LIMIT;
  const own = { mode, operator: isShort ? operator : undefined, near: near?.crs, skip: 0 };
  return { command: "network", action, args: networkArgs.encode({ ...own, ...more }) };
}

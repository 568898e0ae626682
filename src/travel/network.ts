// The state of lines, from the sources' reports or, without them, from boards that people have opened recently.
import {
  NETWORK_KEYS,
  type NetworkEntry,
  type NetworkMode,
  type SourceName,
  type TransportBoard,
  type TransportNetwork,
} from "../sources/transport-data.ts";
import { creditsOf } from "../sources/source-words.ts";
import { londonStops } from "../sources/tfl/london-stops.ts";
import { type Answers, stalenessOf } from "../sources/answers.ts";
import type { Station } from "../rail/stations.ts";
import { type Clock, currentInstant } from "../core/clock.ts";
import { normaliseWords, plainWords } from "../core/search-text.ts";
import { ServiceError } from "../core/errors.ts";
import { byTime, isBefore } from "../time/uk-time.ts";
import { type BoardDependencies, askBoard, liveQuestion } from "../rail/departures.ts";
import { findLine, isLondonCode, isOverground, suggestLines } from "../rail/london.ts";
import {
  findOperator,
  operatorChoice,
  operatorName,
  suggestOperators,
  unknownOperator,
} from "../rail/operators.ts";
import { countTrains, cachedBoards } from "./counted-trains.ts";

export type { NetworkMode } from "../sources/transport-data.ts";

/** Without a mode, buses are left out, because their roadworks would bury everything else. */
export interface NetworkQuestion {
  readonly mode?: NetworkMode | undefined;
  /** The name of an operator or a line, or a part of it. */
  readonly operator?: string | undefined;
  /** Only lines that serve this station, or whose reports mention it. */
  readonly near?: Station | undefined;
}

/** An operator, a line or an incident. */
export interface NetworkLine {
  readonly line?: string | undefined;
  readonly mode: NetworkMode;
  readonly name: string;
  /** `closed`: nothing runs now, and nothing is due to run, as on most nights. */
  readonly severity: "severe" | "minor" | "closed" | "good";
  /** e.g. `Minor delays`, `3 of 20 trains cancelled`; `undefined` for an incident. */
  readonly state: string | undefined;
  readonly entries: readonly Pick<NetworkEntry, "description" | "from" | "until">[];
}

export type Network = ReturnType<typeof createNetwork>;
export type NetworkState = Awaited<ReturnType<Network["state"]>>;

interface NetworkClient {
  network(): Promise<TransportNetwork>;
}

/** A question takes one request to each source of reports, and one for the board of the station in `near`. */
export function createNetwork(deps: {
  readonly person: BoardDependencies["transport"];
  readonly transport: NetworkClient | undefined;
  /** The train operators' reports; `undefined` if not set up. */
  readonly railway?: NetworkClient | undefined;
  readonly london: NetworkClient | undefined;
  /** Whether there are boards of railway stations. */
  readonly knowsTrains: boolean;
  readonly answers: Answers;
  readonly clock: Clock;
}) {
  const { person, transport, railway, london, knowsTrains, answers, clock } = deps;
  const clients = { transport, "rail-data": railway, tfl: london };

  async function fetchBoard(crs: string): Promise<{ board?: TransportBoard; failure?: ServiceError }> {
    const question = liveQuestion({ kind: "departures", crs });
    try {
      return { board: (await askBoard({ transport: person, answers }, question)).value };
    } catch (error) {
      if (error instanceof ServiceError) {
        return { failure: error };
      }
      throw error;
    }
  }

  /** Throws if none answered. */
  async function askAll(sources: readonly SourceName[]) {
    const missing: SourceName[] = [];
    const failures: unknown[] = [];
    const ask = async (source: SourceName) => {
      const client = clients[source];
      try {
        return client && { source, answer: await answers.ask(NETWORK_KEYS[source], () => client.network()) };
      } catch (error) {
        if (!(error instanceof ServiceError)) {
          throw error;
        }
        missing.push(source);
        // If the operators' reports fail, their trains are counted on boards.
        failures.push(...(source === "rail-data" ? [] : [error]));
        return undefined;
      }
    };
    const asked = (await Promise.all(sources.map(ask))).filter((one) => one !== undefined);
    if (failures.length > 0 && asked.length === 0) {
      throw failures[0];
    }
    return { asked, missing };
  }

  return {
    /** Best first. Sends nothing. */
    suggest(text: string): readonly { readonly name: string; readonly value: string }[] {
      const operators = knowsTrains ? suggestOperators(text) : [];
      const lines = london ? suggestLines(text) : [];
      const choices = [...operators.map(operatorChoice), ...lines.map(({ name }) => ({ name, value: name }))];
      // The Elizabeth line is both an operator and a line.
      return [...new Map(choices.map((choice) => [choice.value, choice])).values()];
    },

    /**
     * Throws the first client's error if all sources fail, the board's if it fails and there is nothing else to show, and a
     * UserError for an unknown name.
     */
    async state(question: NetworkQuestion) {
      const { mode, near } = question;
      const isAboutTrains = mode === undefined || mode === "train";
      const { asked, missing: failing } = await askAll([
        "transport",
        ...(isAboutTrains ? (["rail-data"] as const) : []),
        // London's buses are not among its lines.
        ...(mode === "bus" ? [] : (["tfl"] as const)),
      ]);
      const answerOf = (name: SourceName) => asked.find(({ source }) => source === name)?.answer;
      const [national, operators, local] = [answerOf("transport"), answerOf("rail-data"), answerOf("tfl")];
      const now = currentInstant(clock);
      // London's stops have no trains.
      const hasTrains = knowsTrains && !(near && isLondonCode(near.crs));
      const { board, failure } = near && hasTrains ? await fetchBoard(near.crs) : {};
      const missing = [...failing, ...(failure ? (["board"] as const) : [])];
      const isCounted =
        hasTrains && isAboutTrains && operators === undefined && national?.value.basis !== "status";
      const boards = () => (board ? [{ kind: "departures" as const, board }] : cachedBoards(answers));
      const counted = isCounted && failure === undefined ? boards() : [];

      const current = (answer: typeof national) =>
        linesOf(answer?.value.entries.filter(({ until }) => !until || !isBefore(until, now)) ?? []);
      const londonLines = current(local);
      const others = [
        ...countTrains(counted, now),
        // The operators' own reports take precedence.
        ...current(national)
          .filter(({ mode: other }) => operators === undefined || other !== "train")
          .map(withListedName),
        ...current(operators).map(withListedName),
      ]
        // For London's lines, London's own source takes precedence.
        .filter((line) => !londonLines.some((own) => isSameLine(own, line)));
      const lines = namedLines([...others, ...londonLines], question, missing.length === 0).filter(
        (line) => !near || isAbout(line, near, board),
      );
      const shown = lines.filter((line) => (mode === undefined ? line.mode !== "bus" : line.mode === mode));
      if (failure !== undefined && shown.length === 0) {
        throw failure;
      }
      const disruptedBuses = lines.filter((line) => line.mode === "bus" && line.severity !== "good");
      const [oldest] = asked.map(({ answer }) => answer.value.dataAt).toSorted(byTime((dataAt) => dataAt));
      return {
        /** Worst first, then by mode and name; without what is over. */
        lines: shown.toSorted(compareLines),
        /** How many disruptions of buses were left out. */
        busDisruptions: mode === undefined ? disruptedBuses.length : 0,
        /** Stations whose boards were used to count trains; `undefined` if a source reports on trains. */
        stations: isCounted ? new Set(counted.map((one) => one.board.crs)).size : undefined,
        /** Whether the train operators' own reports are included. */
        isReported: operators !== undefined,
        /** Whether the transport service answered for the whole country. */
        isNational: national !== undefined,
        /** What failed although other sources answered: sources, or the board of the station in `near`. */
        missing,
        dataAt: oldest ?? now,
        credit: creditsOf([
          ...asked.map(({ source, answer }) => ({ source, credit: answer.value.credit })),
          ...counted.map((one) => one.board),
        ]),
        /** Why the transport service's or the train operators' answer is old; `undefined` if neither is. */
        stale: [national, operators].map((answer) => answer && stalenessOf(answer)).find((stale) => stale),
        londonStale: local && stalenessOf(local),
      };
    },
  };
}

/** Sources also write “Northern Rail”. */
function withListedName(line: NetworkLine): NetworkLine {
  return line.mode === "train" ? { ...line, name: findOperator(line.name)?.name ?? line.name } : line;
}

const OVERGROUND = "LO";

/**
 * e.g. “Victoria” and “Victoria line”, but Northern trains are not the Northern line. Other sources know the
 * Overground's lines as one operator.
 */
function isSameLine(own: NetworkLine, other: NetworkLine): boolean {
  const [a, b] = [own, other].map(({ name }) => bareWords(name).replace(/ line$/, ""));
  const isSameName = a === b && !(own.mode === "tube" && other.mode === "train");
  return isSameName || (isOverground(own.line) && findOperator(other.name)?.code === OVERGROUND);
}

/** For names that differ: “London Kings Cross”, “King's Cross St. Pancras”, “Kensington (Olympia)”. */
function bareWords(name: string): string {
  return normaliseWords(name.replace(/\(.*/, ""))
    .filter((word) => word !== "london")
    .join(" ");
}

const MODES: readonly NetworkMode[] = ["train", "tube", "tram", "bus", "ferry", "other"];
const SEVERITIES: readonly NetworkLine["severity"][] = ["severe", "minor", "closed", "good"];

function compareLines(a: NetworkLine, b: NetworkLine): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    MODES.indexOf(a.mode) - MODES.indexOf(b.mode) ||
    a.name.localeCompare(b.name, "en-GB", { numeric: true })
  );
}

/** One line for each operator; its worst state counts. */
function linesOf(entries: readonly NetworkEntry[]): readonly NetworkLine[] {
  const byName = Map.groupBy(entries, ({ mode, name }) => `${mode} ${name.toLowerCase()}`);
  return [...byName.values()].flatMap((together) => {
    const [worst] = together.toSorted(
      (a, b) => SEVERITIES.indexOf(severityOf(a)) - SEVERITIES.indexOf(severityOf(b)),
    );
    return worst ? [{ ...worst, severity: severityOf(worst), entries: together }] : [];
  });
}

const SEVERE = /sever|major|suspend|clos|no service|not running|cancel/i;

function severityOf({ isDisrupted, state = "" }: NetworkEntry): NetworkLine["severity"] {
  if (/^service closed$/i.test(state)) {
    return "closed";
  }
  return !isDisrupted ? "good" : SEVERE.test(state) ? "severe" : "minor";
}

/**
 * Finds lines by exact name, otherwise by a part: “Northern” is the operator and the Northern line, but not
 * Great Northern. Throws a UserError if no line has the name and all sources have answered.
 */
function namedLines(
  lines: readonly NetworkLine[],
  { operator: wanted, mode }: NetworkQuestion,
  isWhole: boolean,
): readonly NetworkLine[] {
  if (wanted === undefined) {
    return lines;
  }
  const operator = findOperator(wanted);
  const text = plainWords(operator?.name ?? wanted);
  const exact = lines.filter(
    ({ name, line }) =>
      [text, `${text} line`].includes(plainWords(name)) ||
      (operator?.code === OVERGROUND && isOverground(line)),
  );
  if (exact.length > 0 || operator !== undefined) {
    return exact;
  }
  const containing = lines.filter(({ name }) => text !== "" && plainWords(name).includes(text));
  // There is no list of all bus companies.
  if (containing.length === 0 && isWhole && mode !== "bus" && findLine(wanted) === undefined) {
    throw unknownOperator(
      wanted,
      "an operator or line",
      lines.filter((line) => line.line !== undefined).map(({ name }) => name),
    );
  }
  return containing;
}

/** Its trains are on the station's board, it stops there, or a report mentions the place. */
function isAbout(line: NetworkLine, near: Station, board: TransportBoard | undefined): boolean {
  const serves = board?.rows.some((row) => operatorName(row)?.toLowerCase() === line.name.toLowerCase());
  const place = ` ${plainWords(near.name.replace(/ \(.*/, ""))} `;
  const texts = [line.name, ...line.entries.map(({ description }) => description ?? "")];
  return (
    (line.mode === "train" && serves === true) ||
    isLineAt(line.line, near) ||
    texts.some((text) => ` ${plainWords(text)} `.includes(place))
  );
}

/** If the station's lines are unknown, a stop must have its name or begin with it (Euston Square). */
function isLineAt(id: string | undefined, { name, lines }: Station): boolean {
  if (lines !== undefined) {
    return id !== undefined && lines.includes(id);
  }
  const place = `${bareWords(name)} `;
  return (
    id !== undefined &&
    londonStops.some((stop) => stop.lines.includes(id) && `${bareWords(stop.name)} `.startsWith(place))
  );
}

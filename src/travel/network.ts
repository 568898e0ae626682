// The state of the network: an entry for each operator and each of London's lines, from what the services say, or else from
// boards that somebody has looked at lately.
import {
  NETWORK_KEYS,
  type NetworkEntry,
  type NetworkMode,
  type SourceName,
  type TransportBoard,
  type TransportNetwork,
  type TransportQuestion,
  type TransportRow,
} from "../sources/transport-data.ts";
import { creditsOf } from "../sources/source-words.ts";
import { londonStops } from "../sources/tfl/london-stops.ts";
import { type Answer, type Answers, staleOf } from "../sources/answers.ts";
import { commonTrainId } from "../sources/transport-data.ts";
import type { Station } from "../rail/stations.ts";
import { type Clock, momentOf } from "../core/clock.ts";
import { normaliseWords } from "../core/search-text.ts";
import { ServiceError } from "../core/errors.ts";
import { plural } from "../core/text.ts";
import { formatUkDate, isBefore, minutesBetween } from "../time/uk-time.ts";
import { boardKey, isLive, liveQuestion } from "../rail/departures.ts";
import { isCancelled } from "../rail/board-row.ts";
import { findLine, isLondonCode, suggestLines } from "../rail/london.ts";
import {
  findOperator,
  operatorLabel,
  operatorName,
  suggestOperators,
  unknownOperator,
} from "../rail/operators.ts";

export type { NetworkMode } from "../sources/transport-data.ts";

/** What a person wants to know of. Without a mode buses are left out: their roadworks would bury everything else. */
export interface NetworkQuestion {
  readonly mode?: NetworkMode | undefined;
  /** An operator's or a line's name, or a part of it. */
  readonly operator?: string | undefined;
  /** Only what serves this station, or speaks of it. */
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

interface Asked {
  readonly source: SourceName;
  readonly answer: Answer<TransportNetwork>;
}

interface NetworkClient {
  network(): Promise<TransportNetwork>;
}

/**
 * How the network stands. It costs one request to each source that knows of it, and one for the board of the station that
 * it should be near.
 */
export function createNetwork({
  person,
  transport,
  railway,
  london,
  knowsTrains,
  answers,
  clock,
}: {
  /** Asks for one station's board. */
  person: { board(question: TransportQuestion): Promise<TransportBoard> };
  transport: NetworkClient | undefined;
  /** What the train operators report; `undefined` if that is not set up. */
  railway?: NetworkClient | undefined;
  london: NetworkClient | undefined;
  /** Whether there are boards of railway stations. */
  knowsTrains: boolean;
  answers: Answers;
  clock: Clock;
}) {
  const boardOf = async (crs: string): Promise<TransportBoard> => {
    const question = liveQuestion({ kind: "departures", crs });
    return (await answers.ask(boardKey(question), () => person.board(question))).value;
  };

  /** The answers of all sources that gave one; throws if none did. */
  async function askAll(mode: NetworkMode | undefined) {
    const missing: SourceName[] = [];
    const failures: unknown[] = [];
    const ask = async (source: SourceName, client: NetworkClient | undefined): Promise<Asked | undefined> => {
      try {
        return client && { source, answer: await answers.ask(NETWORK_KEYS[source], () => client.network()) };
      } catch (error) {
        if (!(error instanceof ServiceError)) {
          throw error;
        }
        missing.push(source);
        // If the operators do not report, their trains are counted.
        failures.push(...(source === "rail-data" ? [] : [error]));
        return undefined;
      }
    };
    // London's buses are not among its lines.
    const [national, operators, local] = await Promise.all([
      ask("transport", transport),
      mode === undefined || mode === "train" ? ask("rail-data", railway) : undefined,
      mode === "bus" ? undefined : ask("tfl", london),
    ]);
    if (failures.length > 0 && !national && !operators && !local) {
      throw failures[0];
    }
    return { national, operators, local, missing };
  }

  return {
    /** The operators and the lines that a person may mean, best first, for autocomplete: asks nobody. */
    suggest(text: string, limit: number): readonly { readonly name: string; readonly value: string }[] {
      const operators = knowsTrains ? suggestOperators(text, limit) : [];
      const lines = london ? suggestLines(text).map(({ name }) => ({ name, value: name })) : [];
      const all = [...operators.map((one) => ({ name: operatorLabel(one), value: one.name })), ...lines];
      return [...new Map(all.map((choice) => [choice.value, choice])).values()].slice(0, limit);
    },

    /**
     * Asks the sources. If some fail, the others are enough; if all fail, throws as the first client does. Throws a UserError
     * for an operator or line that nobody knows.
     */
    async state(question: NetworkQuestion) {
      const { mode, near } = question;
      const { national, operators, local, missing } = await askAll(mode);
      const now = momentOf(clock);
      const current = (asked: Asked | undefined) =>
        linesOf((asked?.answer.value.entries ?? []).filter(({ until }) => !until || !isBefore(until, now)));
      const counts =
        knowsTrains &&
        operators === undefined &&
        national?.answer.value.basis !== "status" &&
        (mode === undefined || mode === "train") &&
        // At a place without trains, none are counted.
        !(near && isLondonCode(near.crs));
      const board = near && knowsTrains && !isLondonCode(near.crs) && (await boardOf(near.crs));
      const kept = board ? [{ kind: "departures" as const, board }] : keptBoardsOf(answers);
      const ofLondon = current(local);
      const ofRailway = current(operators).map((line) => ({
        ...line,
        name: findOperator(line.name)?.name ?? line.name,
      }));
      const others = [
        ...(counts ? countedLines(kept, now) : []),
        // The operators' own reports take precedence.
        ...current(national).filter(({ mode: other }) => operators === undefined || other !== "train"),
        ...ofRailway,
      ]
        // For London's lines, London's own source takes precedence.
        .filter((line) => !ofLondon.some((own) => isSameLine(own, line)));
      const lines = namedLines([...others, ...ofLondon], question).filter(
        (line) => !near || isAbout(line, near, board || undefined),
      );
      const shown = lines.filter((line) => (mode === undefined ? line.mode !== "bus" : line.mode === mode));
      const asked = [national, operators, local].filter((one) => one !== undefined);
      const counted = counts ? kept.map((one) => one.board) : [];
      const disruptedBuses = lines.filter((line) => line.mode === "bus" && line.severity !== "good");
      const [oldest] = asked
        .map(({ answer }) => answer.value.dataAt)
        .toSorted((a, b) => Temporal.Instant.compare(a, b));
      return {
        /** Worst first, then by mode and name; what is over is left out. */
        lines: shown.toSorted(compareLines),
        /** How many disruptions of buses were left out. */
        busDisruptions: mode === undefined ? disruptedBuses.length : 0,
        /** How many stations' boards the trains were counted on; `undefined` where the service itself knows of trains. */
        stations: counts ? new Set(counted.map(({ crs }) => crs)).size : undefined,
        /** Whether the train operators have reported themselves. */
        isReported: operators !== undefined,
        /** Whether the transport service has answered for the whole country. */
        isNational: national !== undefined,
        /** The sources that could not be asked, although others could. */
        missing,
        dataAt: oldest ?? now,
        credit: creditsOf([
          ...asked.map(({ source, answer }) => ({ source, credit: answer.value.credit })),
          ...counted,
        ]),
        /** Set if the answer about the whole country is older than it should be. */
        stale: [national, operators].map((one) => one && staleOf(one.answer)).find((stale) => stale),
        londonStale: local && staleOf(local.answer),
      };
    },
  };
}

type Named = Pick<NetworkLine, "mode" | "name">;

/** Whether two sources mean the same line: “Victoria”, “Victoria line”. The trains of Northern are no tube line. */
function isSameLine(one: Named, other: Named): boolean {
  const [a, b] = [one, other].map(({ name }) => bareWords(name).replace(/ line$/, ""));
  return a === b && (one.mode === "train") === (other.mode === "train");
}

/** A name without what sources write differently: “London Kings Cross”, “King's Cross St. Pancras”, “Kensington (Olympia)”. */
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

/** One line for all that is said of one operator; its worst state counts. */
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
 * The lines of exactly the name that was asked for, else those whose name contains it: “Northern” is the operator and the
 * Northern line, but not Great Northern. Throws a UserError for a name that nothing has.
 */
function namedLines(
  lines: readonly NetworkLine[],
  { operator: wanted, mode }: NetworkQuestion,
): readonly NetworkLine[] {
  if (wanted === undefined) {
    return lines;
  }
  const operator = findOperator(wanted);
  const text = wordsOf(operator?.name ?? wanted);
  const exact = lines.filter(({ name }) => [text, `${text} line`].includes(wordsOf(name)));
  if (exact.length > 0 || operator !== undefined) {
    return exact;
  }
  const containing = lines.filter(({ name }) => text !== "" && wordsOf(name).includes(text));
  // Nobody has a list of all bus companies.
  if (containing.length === 0 && mode !== "bus" && findLine(wanted) === undefined) {
    throw unknownOperator(
      wanted,
      "operator or line",
      lines.filter((line) => line.line !== undefined).map(({ name }) => name),
    );
  }
  return containing;
}

function wordsOf(name: string): string {
  return normaliseWords(name).join(" ");
}

/** Trains are near where their operator calls; everything else where it speaks of the place. */
function isAbout(line: NetworkLine, near: Station, board: TransportBoard | undefined): boolean {
  const serves = board?.rows.some((row) => operatorName(row)?.toLowerCase() === line.name.toLowerCase());
  const place = ` ${normaliseWords(near.name.replace(/ \(.*/, "")).join(" ")} `;
  const said = [line.name, ...line.entries.map(({ description }) => description ?? "")];
  return (
    (line.mode === "train" && serves === true) ||
    isLineAt(line.line, near) ||
    said.some((text) => ` ${normaliseWords(text).join(" ")} `.includes(place))
  );
}

/** Whether it stops there, or one of its stops has the station's name or begins with it, as Euston Square does. */
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

/** A board and which side of the station it shows. */
interface KeptBoard {
  readonly kind: "departures" | "arrivals";
  readonly board: TransportBoard;
}

/**
 * The boards that are kept because somebody asked for them, in the store that departures are asked through; its keys
 * begin `board:departures:` and `board:arrivals:`.
 */
function keptBoardsOf(answers: Pick<Answers, "held">): readonly KeptBoard[] {
  return (["departures", "arrivals"] as const).flatMap((kind) =>
    answers
      .held<TransportBoard>(`board:${kind}:`)
      // Without a timetable, London's trains are never late.
      .filter(({ value }) => value.source !== "tfl")
      .map(({ value }) => ({ kind, board: value })),
  );
}

const LATE_MINUTES = 10;
/** Of all trains, what share in trouble is bad; one bad train of four is not. */
const SEVERE_SHARE = 0.1;
const SEVERE_TRAINS = 3;

/** A line for each train operator on some boards. A train that several boards show is counted once. */
function countedLines(kept: readonly KeptBoard[], now: Temporal.Instant): readonly NetworkLine[] {
  const byAge = kept.toSorted((a, b) => Temporal.Instant.compare(a.board.dataAt, b.board.dataAt));
  // Later boards overwrite what earlier ones say of a train: it may run after all.
  const trains = new Map(
    byAge
      .flatMap(({ board, kind }) => board.rows.map((row) => [trainId(row, board.crs, kind), row] as const))
      .filter(([, row]) => isLive(row) && minutesBetween(row.aimedAt, now) <= 30),
  );
  const byOperator = Map.groupBy(trains.values(), (row) => operatorName(row) ?? "Other trains");
  return [...byOperator].map(([name, rows]) => {
    const cancelled = rows.filter(isCancelled).length;
    const delays = rows.map(({ aimedAt, expectedAt }) =>
      expectedAt ? minutesBetween(aimedAt, expectedAt) : 0,
    );
    const late = delays.filter((minutes) => minutes >= LATE_MINUTES).length;
    const bad = cancelled + late;
    const isSevere = bad >= SEVERE_TRAINS && bad / rows.length >= SEVERE_SHARE;
    return {
      mode: "train",
      name,
      severity: bad === 0 ? "good" : isSevere ? "severe" : "minor",
      state:
        bad === 0
          ? "running well"
          : `${plural(rows.length, "train")}: ${[
              cancelled > 0 && `${cancelled} cancelled`,
              late > 0 && `${late} running up to ${Math.max(...delays)} min late`,
            ]
              .filter(Boolean)
              .join(", ")}`,
      entries: [],
    };
  });
}

/** The same on all boards that show this train; an id alone comes back every day. */
function trainId(row: TransportRow, crs: string, kind: KeptBoard["kind"]): string {
  const { trainUid, startDate, aimedAt, place } = row;
  return trainUid === undefined
    ? [crs, kind, aimedAt.toString(), place, operatorName(row)].join(" ")
    : `${commonTrainId(trainUid)} ${startDate ?? formatUkDate(aimedAt)}`;
}

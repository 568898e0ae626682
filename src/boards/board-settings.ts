// A board's settings: works them out from the options of a command or the fields of a form, and checks that a board can run
// with them.
import { checkChannel } from "../delivery/check-channel.ts";
import { UserError } from "../core/errors.ts";
import type { Messenger } from "../core/ports.ts";
import { refuseUnsupportedInLondon } from "../rail/departures.ts";
import { isLondonCode, requireLine } from "../rail/london.ts";
import type { Stations, Station } from "../rail/stations.ts";
import { checkTimes, parseSchedule } from "../time/parse-schedule.ts";
import { nextSlot } from "../time/slots.ts";
import { type BoardSettings, LONGEST_PLATFORM, MAX_CALLING_AT, MAX_PLATFORMS } from "./boards.ts";
import { DEFAULT_ROWS } from "../rail/board-args.ts";
import { createOperatorFilter, findOperator } from "../rail/operators.ts";
import type { Schedule } from "../time/schedule.ts";

type Chosen = Pick<BoardSettings, "kind" | "walkMinutes" | "rows" | "look" | "mode" | "publish"> &
  Record<"station" | "operator" | "platforms" | "every" | "at" | "days" | "between" | "zone", string> & {
    /** Each entry changes the calling point at the same index. */
    readonly callingAt: readonly (string | undefined)[];
    readonly match: "any" | "all";
    readonly only: BoardSettings["transport"];
  };

/** The choices as typed; `undefined` for a setting that stays unchanged or gets its default. */
export type SettingsChoice = { readonly [Name in keyof Chosen]?: Chosen[Name] | undefined };

const CLEARS_FILTER = /^\s*(any|all|none|anywhere|everywhere|every|all day|-)\s*$/i;

/** Changes `base`, if it is given. Throws a UserError if anything is invalid, or without a station. */
export function chooseSettings(
  choice: SettingsChoice,
  { stations, timeZone }: { readonly stations: Stations; readonly timeZone: string },
  base?: BoardSettings,
): BoardSettings {
  const publish = choice.publish ?? base?.publish ?? false;
  const place = stationOf(choice.station, stations, base);
  const isLondon = isLondonCode(place.crs);
  const defaultEvery = publish ? PUBLISHED_EVERY : isLondon ? LONDON_EVERY : undefined;
  // A railway station cannot have the filters of a London stop, nor the other way round.
  const filters = base !== undefined && isLondonCode(base.station) === isLondon ? base : undefined;
  return {
    kind: choice.kind ?? filters?.kind ?? "departures",
    station: place.crs,
    callingAt: chooseCallingAt(choice.callingAt ?? [], stations, filters?.callingAt ?? []),
    callingAtAll: choice.match === undefined ? (filters?.callingAtAll ?? false) : choice.match === "all",
    operator: chooseOperator(choice.operator, filters?.operator, place),
    platforms: choosePlatforms(choice.platforms, filters?.platforms ?? []),
    transport: choice.only ?? filters?.transport ?? "all",
    walkMinutes: choice.walkMinutes ?? base?.walkMinutes ?? 0,
    rows: choice.rows ?? base?.rows ?? DEFAULT_ROWS,
    look: choice.look ?? base?.look ?? "picture",
    // An edited message cannot be published again.
    mode: choice.mode ?? base?.mode ?? (publish ? "post" : "edit"),
    publish,
    schedule: chooseSchedule(choice, timeZone, defaultEvery, base?.schedule),
  };
}

/** The default for boards that are published: six messages an hour, of the ten that Discord publishes. */
const PUBLISHED_EVERY = "every 10 minutes";
/** The default for London's boards: trains run every few minutes, and requests are free. */
const LONDON_EVERY = "every minute";

/** A closed station's name is its code. */
function stationOf(typed: string | undefined, stations: Stations, base: BoardSettings | undefined): Station {
  return typed === undefined && base !== undefined
    ? (stations.byCrs(base.station) ?? { crs: base.station, name: base.station })
    : stations.live.resolve(typed ?? "");
}

function chooseCallingAt(
  typed: readonly (string | undefined)[],
  stations: Stations,
  before: readonly string[],
): readonly string[] {
  const places = Math.max(typed.length, before.length);
  return Array.from({ length: places }, (_, index) => {
    const text = typed[index];
    if (text === undefined) {
      return before[index];
    }
    return CLEARS_FILTER.test(text) ? undefined : stations.resolve(text).crs;
  }).filter((crs) => crs !== undefined);
}

function chooseOperator(
  typed: string | undefined,
  before: string | undefined,
  { lines }: Station,
): string | undefined {
  if (typed === undefined) {
    return before;
  }
  if (CLEARS_FILTER.test(typed)) {
    return undefined;
  }
  // These throw if the line or operator is unknown: a board with such a filter would stay empty for ever.
  if (lines !== undefined) {
    return requireLine(typed, lines).name;
  }
  createOperatorFilter(typed, []);
  return findOperator(typed)?.name;
}

function choosePlatforms(typed: string | undefined, before: readonly string[]): readonly string[] {
  if (typed === undefined) {
    return before;
  }
  const platforms = typed
    .replace(/\b(\d{1,2})\s*(?:-|–|to)\s*(\d{1,2})\b/gi, (_, one: string, other: string) =>
      numbersFrom(Number(one), Number(other)),
    )
    .replace(/\b(platforms?|and|or)\b/gi, " ")
    .split(/[\s,;&/]+/)
    .filter((platform) => platform !== "")
    .map((platform) => platform.toUpperCase());
  return CLEARS_FILTER.test(typed) ? [] : [...new Set(platforms)];
}

/** e.g. `4 5 6`, also for 6 to 4. At most 20 numbers, which is more than the platforms of a filter. */
function numbersFrom(one: number, other: number): string {
  const first = Math.min(one, other);
  const count = Math.min(Math.abs(other - one) + 1, 20);
  return Array.from({ length: count }, (_, index) => first + index).join(" ");
}

function chooseSchedule(
  { every, at, days, between, zone }: SettingsChoice,
  timeZone: string,
  defaultEvery: string | undefined,
  base: Schedule | undefined,
): Schedule {
  const isWholeDay = between !== undefined && CLEARS_FILTER.test(between);
  const hours = isWholeDay ? undefined : between;
  const everyIfNew = base === undefined && at === undefined ? defaultEvery : undefined;
  const parsed = parseSchedule(
    { every: every ?? everyIfNew, at, days, hours, zone },
    { zone: base?.zone ?? timeZone },
  );
  if (base === undefined) {
    return parsed;
  }
  const kept = between === undefined ? base.hours : parsed.hours;
  const schedule: Schedule = {
    timing: every === undefined && at === undefined ? base.timing : parsed.timing,
    days: days === undefined ? base.days : parsed.days,
    ...(kept && { hours: kept }),
    zone: parsed.zone,
  };
  checkTimes(schedule);
  return schedule;
}

/** Returns the first slot. Throws a UserError that says what to change if no board can run like that. */
export function checkBoardSettings(settings: BoardSettings, stations: Stations, nowMs: number): number {
  checkStations(settings, stations);
  checkPlatforms(settings);
  if (settings.publish && settings.mode === "edit") {
    throw new UserError(
      "Only new messages can be published, and this board edits the same one. Set `mode` to **A new message each time**, or leave `publish` off.",
    );
  }
  checkTimes(settings.schedule);
  const firstSlotMs = nextSlot(settings.schedule, nowMs);
  if (firstSlotMs === undefined) {
    throw new UserError("On that schedule the board would never appear. Please choose other times or days.");
  }
  return firstSlotMs;
}

function checkStations({ kind, station, callingAt, transport }: BoardSettings, stations: Stations): void {
  requireStations([station, ...callingAt], stations);
  const [place, via] = [station, ...callingAt].map((code) => stations.byCrs(code));
  if (place) {
    refuseUnsupportedInLondon({ kind, station: place, via });
  }
  if (isLondonCode(station) && transport !== "all") {
    throw new UserError("Replacement buses aren't listed for London's lines. Leave `only` out.");
  }
  const name = (code: string): string => stations.byCrs(code)?.name ?? code;
  if (callingAt.includes(station)) {
    throw new UserError(
      `This is already a board for ${name(station)}. To filter it, choose another station.`,
    );
  }
  const twice = callingAt.find((code, index) => callingAt.indexOf(code) !== index);
  if (twice !== undefined) {
    throw new UserError(`You've named ${name(twice)} twice. Name each station once.`);
  }
  if (callingAt.length > MAX_CALLING_AT) {
    throw new UserError(`You can filter by up to ${MAX_CALLING_AT} stations. Leave some out.`);
  }
}

/** Throws a UserError if a code is not, or no longer, on the list of stations. */
export function requireStations(codes: readonly string[], stations: Pick<Stations, "byCrs">): void {
  const unknown = codes.find((code) => !stations.byCrs(code));
  if (unknown !== undefined) {
    throw new UserError(`The station ${unknown} isn't on my list any more. Choose another one.`);
  }
}

function checkPlatforms({ platforms }: BoardSettings): void {
  if (platforms.length > MAX_PLATFORMS) {
    throw new UserError(
      `You can filter by up to ${MAX_PLATFORMS} platforms. Leave some out, or name none to see them all.`,
    );
  }
  if (platforms.some((platform) => platform === "" || platform.length > LONGEST_PLATFORM)) {
    throw new UserError("Type platforms like 3 or 4a.");
  }
}

const OTHERWISE = "choose another channel with `channel`";

/** Throws a UserError that says how to fix it. `userId`: who chose the place, if it is new. */
export async function checkPlace(
  messenger: Pick<Messenger, "check">,
  place: { readonly guildId: string; readonly channelId: string; readonly userId?: string },
  { publish }: Pick<BoardSettings, "publish">,
): Promise<void> {
  const words = { act: "keep a board", otherwise: OTHERWISE, withFiles: true };
  const { kind } = await checkChannel(messenger, place, words);
  if (publish && kind !== "announcement") {
    throw new UserError(
      `Messages can only be published from an announcement channel, and <#${place.channelId}> isn't one. Leave \`publish\` off, or ${OTHERWISE}.`,
    );
  }
}

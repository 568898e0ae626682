// Boards during the two weeks in which UK clocks go back and forward, minute by minute.
import type { OptionInputs } from "../../sandbox/discord/actors/member-types.ts";
import { openBoardCard, subscribeBoard, watchBoardPosts } from "./board-posts.ts";
import { openCheckedWorld } from "./checked-world.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WEEKDAYS = "Mon Tue Wed Thu Fri";
const EVERY_DAY = `${WEEKDAYS} Sat Sun`;

/** The boards, each in its own channel. */
const BOARDS = {
  commute: { station: "York", every: "10 minutes", between: "07:00-09:30", days: "weekdays" },
  twice: { station: "Leeds", at: "7:30, 17:15" },
  small: { station: "Edinburgh", at: "1:30" },
  night: { station: "Manchester Piccadilly", every: "45 minutes", between: "22:00-02:00" },
  newYork: { station: "Kings Cross", at: "8:00", zone: "New York" },
  quarters: { station: "Bristol Temple Meads", every: "6 hours" },
  weekend: { station: "Glasgow Central", every: "90 min", between: "10:00-16:00", days: "weekends" },
} as const satisfies Readonly<Record<string, OptionInputs>>;

type Name = keyof typeof BOARDS;

// `Object.keys` loses the type of the names.
const NAMES = Object.keys(BOARDS) as Name[];

const COMMUTE = [
  "07:00 07:10 07:20 07:30 07:40 07:50",
  "08:00 08:10 08:20 08:30 08:40 08:50",
  "09:00 09:10 09:20 09:30",
].join(" ");

/** A week and its expected posts. */
export interface Week {
  readonly name: string;
  /** A time before the first slot, on the Sunday before. */
  readonly from: string;
  /** Midnight after the last Sunday. */
  readonly to: string;
  /** The local UK times at which messages are expected. */
  readonly wanted: Readonly<Record<Name, readonly string[]>>;
}

/** Every combination of these days and times, e.g. `Mon 07:30` and `Tue 07:30`. */
function on(days: string, times: string): readonly string[] {
  return days.split(" ").flatMap((day) => times.split(" ").map((time) => `${day} ${time}`));
}

/** The two weeks. New York's clocks change in neither. */
export const WEEKS: readonly Week[] = [
  {
    name: "clocks go back, on Sunday 25 October 2026 at 02:00",
    from: "2026-10-18T22:55:00Z",
    to: "2026-10-26T00:00:00Z",
    wanted: {
      commute: on(WEEKDAYS, COMMUTE),
      twice: on(EVERY_DAY, "07:30 17:15"),
      // On Sunday, 01:30 comes twice; the board uses the first.
      small: [...on("Mon Tue Wed Thu Fri Sat", "01:30"), "Sun 01:30_BST"],
      // The night from Saturday to Sunday is an hour longer.
      night: [
        ...on("Mon Tue Wed Thu Fri Sat", "00:15 01:00 01:45 22:00 22:45 23:30"),
        ...on("Sun", "00:15 01:00_BST 01:45_BST 01:30_GMT 22:00 22:45 23:30"),
      ],
      newYork: [...on("Mon Tue Wed Thu Fri Sat", "13:00"), "Sun 12:00"],
      // By local time, although seven hours pass between the first two of Sunday.
      quarters: on(EVERY_DAY, "00:00 06:00 12:00 18:00"),
      weekend: on("Sat Sun", "10:00 11:30 13:00 14:30 16:00"),
    },
  },
  {
    name: "clocks go forward, on Sunday 28 March 2027 at 01:00",
    from: "2027-03-21T23:55:00Z",
    to: "2027-03-28T23:00:00Z",
    wanted: {
      commute: on(WEEKDAYS, COMMUTE),
      twice: on(EVERY_DAY, "07:30 17:15"),
      // Sunday has no 01:30, so the board comes at 02:30.
      small: [...on("Mon Tue Wed Thu Fri Sat", "01:30"), "Sun 02:30"],
      // The night from Saturday to Sunday is an hour shorter, and 02:00 is its last minute.
      night: [
        ...on("Mon Tue Wed Thu Fri Sat", "00:15 01:00 01:45 22:00 22:45 23:30"),
        ...on("Sun", "00:15 02:00 22:00 22:45 23:30"),
      ],
      newYork: [...on("Mon Tue Wed Thu Fri Sat", "12:00"), "Sun 13:00"],
      quarters: on(EVERY_DAY, "00:00 06:00 12:00 18:00"),
      weekend: on("Sat Sun", "10:00 11:30 13:00 14:30 16:00"),
    },
  },
];

/** Limits a week to its last days, e.g. `Sat Sun`. */
export function endOf(week: Week, days: string): Week {
  const names = days.split(" ");
  const from = new Date(Date.parse(week.from) + (7 - names.length) * DAY_MS).toISOString();
  const wanted = { ...week.wanted };
  for (const name of NAMES) {
    wanted[name] = wanted[name].filter((moment) => names.includes(moment.slice(0, 3)));
  }
  return { ...week, from, wanted };
}

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", {
    timeZone: "Europe/London",
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    ...options,
  });
const plain = format({});
const named = format({ timeZoneName: "short" });

/** The local UK time, e.g. `Mon 07:30`; with the zone's name if the same time comes twice, e.g. `Sun 01:30_BST`. */
function wall(atMs: number): string {
  const isTwice = [-60, 60].some(
    (minutes) => plain.format(atMs + minutes * MINUTE_MS) === plain.format(atMs),
  );
  return (isTwice ? named : plain)
    .format(atMs)
    .replace(",", "")
    .replace(/ (?=BST|GMT)/, "_");
}

/** The posts of a board. */
export interface BoardWeek {
  readonly name: Name;
  /** Whether its first message came as soon as it was saved. */
  readonly isFirstAtOnce: boolean;
  /** The local UK times of its other messages. */
  readonly posted: readonly string[];
  /** How many messages did not come at the time of their slot. */
  readonly late: number;
  /** The board's card at the end, as a moderator sees it. */
  readonly card: string;
}

/** Plays a week with a tick at the first minute and at every multiple of one of these numbers of minutes. */
export async function runWeek(week: Week, steps: readonly number[]): Promise<readonly BoardWeek[]> {
  await using world = await openCheckedWorld({
    at: week.from,
    // discord.js waits for a channel's bucket in real time, but the clock runs faster.
    settings: { buckets: { "*": { limit: 1_000, windowMs: 1_000 } } },
  });
  const posts = watchBoardPosts(world);
  const boards: { readonly name: Name; readonly id: string }[] = [];
  for (const name of NAMES) {
    const channel = world.discord.addChannel(world.guild, name.toLowerCase());
    const options = { ...BOARDS[name], mode: "post", view: "text" };
    boards.push({ name, id: await subscribeBoard(world, channel, options) });
  }
  const fromMs = Date.parse(week.from);
  const toMs = Date.parse(week.to);
  for (let atMs = fromMs; atMs < toMs; atMs += MINUTE_MS) {
    if (atMs === fromMs || steps.some((minutes) => atMs % (minutes * MINUTE_MS) === 0)) {
      await world.clock.set(atMs);
      await world.tick();
    }
  }
  const report: BoardWeek[] = [];
  for (const { name, id } of boards) {
    const own = posts.ever.filter(({ boardId }) => boardId === id);
    report.push({
      name,
      isFirstAtOnce: own[0]?.atMs === Date.parse(week.from),
      posted: own.slice(1).map(({ atMs }) => wall(atMs)),
      late: own.filter(({ atMs, slotMs }) => atMs !== slotMs).length,
      card: (await openBoardCard(world, id)).text,
    });
  }
  return report;
}

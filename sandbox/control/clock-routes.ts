import { clockOrder, type ClockOrder, type ClockState, type JumpId } from "./api/clock.ts";
import { Hono } from "hono";
import type { ControlParts } from "./parts.ts";

const UK = "Europe/London";
const BEFORE_CHANGE = { minutes: 30 } as const;

interface JumpDefinition {
  readonly id: JumpId;
  readonly label: string;
  readonly description: string;
  /** Milliseconds since the epoch. `now` is the sandbox's current time. */
  readonly next: (now: Temporal.ZonedDateTime) => number;
}

const JUMPS: readonly JumpDefinition[] = [
  {
    id: "now",
    label: "Now",
    description: "Back to the real time and its real speed.",
    next: () => Date.now(),
  },
  {
    id: "rush-hour",
    label: "Rush hour",
    description: "8 a.m. on the next working day: many trains, some of them late.",
    next: (now) => nextAt(now, "08:00", ({ dayOfWeek }) => dayOfWeek <= 5),
  },
  {
    id: "night",
    label: "Night",
    description: "Half past two in the morning: hardly any trains run.",
    next: (now) => nextAt(now, "02:30", () => true),
  },
  {
    id: "spring-change",
    label: "Clocks go forward",
    description: "Half an hour before summer time begins: 01:00 is followed by 02:00.",
    next: (now) => nextChange(now, (before, after) => after > before),
  },
  {
    id: "autumn-change",
    label: "Clocks go back",
    description: "Half an hour before summer time ends: the hour from 01:00 to 02:00 happens twice.",
    next: (now) => nextChange(now, (before, after) => after < before),
  },
];

/** All jumps but `now` lead forward. */
export function listJumps(nowMs: number): ClockState["jumps"] {
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(UK);
  return JUMPS.map(({ next, ...texts }) => ({ ...texts, atMs: next(now) }));
}

/** The next time that clocks in the UK show `time` on a day that `fits`. */
function nextAt(
  now: Temporal.ZonedDateTime,
  time: string,
  fits: (day: Temporal.PlainDate) => boolean,
): number {
  let day = now.toPlainDate();
  for (;;) {
    const { epochMilliseconds } = day.toZonedDateTime({ timeZone: UK, plainTime: time });
    if (fits(day) && epochMilliseconds > now.epochMilliseconds) {
      return epochMilliseconds;
    }
    day = day.add({ days: 1 });
  }
}

/** Half an hour before the next change of the clocks that is wanted, judged by the offsets before and after it. */
function nextChange(
  now: Temporal.ZonedDateTime,
  isWanted: (before: number, after: number) => boolean,
): number {
  let from = now.add(BEFORE_CHANGE);
  for (;;) {
    const change = from.getTimeZoneTransition("next");
    if (change === null) {
      throw new Error("Clocks in the UK no longer change.");
    }
    const before = change.subtract({ nanoseconds: 1 });
    if (isWanted(before.offsetNanoseconds, change.offsetNanoseconds)) {
      return change.subtract(BEFORE_CHANGE).epochMilliseconds;
    }
    from = change;
  }
}

/** `GET` returns the time; `POST` takes `{ advanceMs }`, `{ passMs }` or `{ jump }`. */
export function clockRoutes({ clock, clockControl }: Pick<ControlParts, "clock" | "clockControl">): Hono {
  const state = (): ClockState => ({
    nowMs: clock.now(),
    mode: clock.mode,
    jumps: listJumps(clock.now()),
  });

  async function apply(order: ClockOrder): Promise<void> {
    if ("passMs" in order) {
      await clockControl.pass(order.passMs);
    } else if ("advanceMs" in order) {
      await clockControl.moveTo(clock.now() + order.advanceMs);
    } else {
      const wanted = listJumps(clock.now()).find(({ id }) => id === order.jump);
      await clockControl.moveTo(wanted?.atMs ?? clock.now());
    }
  }

  return new Hono()
    .get("/", (context) => context.json(state()))
    .post("/", async (context) => {
      await apply(clockOrder.parse(await context.req.json()));
      return context.json(state());
    });
}

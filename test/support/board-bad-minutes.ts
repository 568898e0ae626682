// Random bad minutes for a bot with boards: when its process is killed, which answers are lost, and what fails.
import * as fc from "fast-check";
import type { FaultKind } from "../../sandbox/faults/faults.ts";
import { killMoments, type KillMoment, type RequestKind } from "./kills.ts";

/** Ticks in a minute. */
export const TICKS = 6;
/** Ticks after a kill until another process can take over the slots of the killed one. */
export const TAKE_OVER = 4;

/** The requests that boards make. */
export const REQUESTS = {
  post: { method: "POST", path: /^\/channels\/\d+\/messages$/ },
  edit: { method: "PATCH", path: /^\/channels\/\d+\/messages\/\d+$/ },
  delete: { method: "DELETE", path: /^\/channels\/\d+\/messages\/\d+$/ },
  read: { method: "GET", path: /^\/channels\/\d+\/messages$/ },
  data: { of: "transport", method: "GET", path: /live/ },
} as const satisfies Record<string, RequestKind>;

export type Request = keyof typeof REQUESTS;

/** A kill at a request during a tick. */
export interface Kill extends KillMoment {
  readonly request: Request;
}

export interface Trouble {
  /** The tick of the minute. */
  readonly at: number;
  readonly request: Request;
  readonly do: FaultKind;
  readonly times: number;
}

/** A minute with one or two kills. */
export interface BadMinute {
  /** The tick of the first kill. */
  readonly killedAt: number;
  readonly kill: Kill;
  /** A kill of the process that takes over. */
  readonly again: Kill | undefined;
  readonly troubles: readonly Trouble[];
}

/** A kill between a board's message and Discord's answer: the next process must find the message. */
const UNANSWERED_POST: BadMinute = {
  killedAt: 0,
  kill: { request: "post", nth: 1, when: "after", delayMs: 0 },
  again: undefined,
  troubles: [],
};

/** The first minutes of a campaign: once with the boards of odd minutes, once with those of even ones. */
export const FIRST_MINUTES: readonly BadMinute[] = [UNANSWERED_POST, UNANSWERED_POST];

/** Most boards are due in the first tick of a minute. */
const busyTicks: fc.Arbitrary<number> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(TAKE_OVER) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: TICKS - 1 }) },
);

const requests: fc.Arbitrary<Request> = fc.oneof(
  { weight: 5, arbitrary: fc.constant("post") },
  { weight: 2, arbitrary: fc.constantFrom("edit", "delete") },
  { weight: 1, arbitrary: fc.constant("data") },
);

function killsAt(request: fc.Arbitrary<Request>): fc.Arbitrary<Kill> {
  return fc
    .record({ at: request, moment: killMoments })
    .map(({ at, moment }) => ({ request: at, ...moment }));
}

/** A process that takes over first reads the channel for a message that may have been sent. */
const takeOvers = killsAt(
  fc.oneof({ weight: 2, arbitrary: fc.constant("read" as const) }, { weight: 1, arbitrary: requests }),
);

const troubles: fc.Arbitrary<Trouble> = fc.record({
  at: busyTicks,
  request: fc.oneof(
    { weight: 6, arbitrary: requests },
    { weight: 1, arbitrary: fc.constant("read" as const) },
  ),
  do: fc.constantFrom("500", "500-after", "drop", "drop-after", "429", "malformed", "truncated"),
  // A request is sent up to four times in a tick.
  times: fc.constantFrom(1, 1, 2, 5),
});

export const badMinutes: fc.Arbitrary<BadMinute> = fc.record({
  killedAt: busyTicks,
  kill: killsAt(requests),
  again: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: takeOvers }),
  troubles: fc.array(troubles, { maxLength: 4 }),
});

// Bad minutes for a bot that keeps boards: when its process is killed, which answers are lost, and what fails.
import * as fc from "fast-check";
import type { FaultKind } from "../../sandbox/faults/faults.ts";

/** In a minute. */
export const TICKS = 6;
/** From this many ticks after a kill on, the slots of the process that died can be taken over. */
export const TAKE_OVER = 4;

/** What boards ask for, of Discord but for the last. */
export const REQUESTS = {
  post: { method: "POST", path: /^\/channels\/\d+\/messages$/ },
  edit: { method: "PATCH", path: /^\/channels\/\d+\/messages\/\d+$/ },
  delete: { method: "DELETE", path: /^\/channels\/\d+\/messages\/\d+$/ },
  read: { method: "GET", path: /^\/channels\/\d+\/messages$/ },
  data: { method: "GET", path: /live/ },
} as const;

export type Request = keyof typeof REQUESTS;

/** When a process is killed: at a request of its tick, or at some moment of it. */
export interface Kill {
  readonly request: Request;
  /** At which of these requests. */
  readonly nth: number;
  /** Before it is done, when it is done but not answered, when it is answered, or whatever is going on. */
  readonly when: "before" | "after" | "answered" | "moment";
  /** For a moment: after so many real milliseconds. */
  readonly delayMs: number;
}

export interface Trouble {
  /** In which tick of the minute. */
  readonly at: number;
  readonly request: Request;
  readonly do: FaultKind;
  readonly times: number;
}

/** A minute with a kill or two. */
export interface BadMinute {
  /** In which tick. */
  readonly killedAt: number;
  readonly kill: Kill;
  /** For whoever takes over what the first one left. */
  readonly again: Kill | undefined;
  readonly troubles: readonly Trouble[];
}

/** In the first tick of a minute there is most to do. */
const busyTicks: fc.Arbitrary<number> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(TAKE_OVER) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: TICKS - 1 }) },
);

const requests: fc.Arbitrary<Request> = fc.oneof(
  { weight: 4, arbitrary: fc.constant("post") },
  { weight: 2, arbitrary: fc.constantFrom("edit", "delete", "read") },
  { weight: 1, arbitrary: fc.constant("data") },
);

const kills: fc.Arbitrary<Kill> = fc.record({
  request: requests,
  nth: fc.constantFrom(1, 1, 2),
  when: fc.constantFrom("before", "after", "answered", "moment"),
  delayMs: fc.integer({ min: 0, max: 60 }),
});

const troubles: fc.Arbitrary<Trouble> = fc.record({
  at: busyTicks,
  request: requests,
  do: fc.constantFrom("500", "500-after", "drop", "drop-after", "429", "malformed", "truncated"),
  // A request is tried four times in a tick.
  times: fc.constantFrom(1, 1, 2, 5),
});

export const badMinutes: fc.Arbitrary<BadMinute> = fc.record({
  killedAt: busyTicks,
  kill: kills,
  again: fc.option(kills, { freq: 3, nil: undefined }),
  troubles: fc.array(troubles, { maxLength: 4 }),
});

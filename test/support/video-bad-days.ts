// Random bad days of a bot that publishes: when its process is killed, which answers are lost, and what people press
// meanwhile.
import * as fc from "fast-check";
import type { Kill, Request, Trouble } from "./video-traps.ts";

/** How files are uploaded. */
export type UploadMode = "simple" | "chunked";

/** A video to publish. */
export interface WantedVideo {
  readonly isScheduled: boolean;
  /**
   * How long after it is first seen on its way somebody cancels it, in milliseconds of the clock; `undefined` if nobody
   * does.
   */
  readonly cancelAfterMs: number | undefined;
}

/** Some videos at the same time, and what happens to the bot that publishes them. */
export interface BadDay {
  readonly asksApproval: boolean;
  readonly videos: readonly WantedVideo[];
  /** A kill before that, when somebody asks for a card. */
  readonly killAtCard: Kill | undefined;
  /** The first kill hits the process in which they are sent, each further one the next process. */
  readonly kills: readonly Kill[];
  readonly troubles: readonly Trouble[];
}

const WRITES = {
  simple: ["simple"],
  chunked: ["start", "transfer", "finish"],
} as const satisfies Record<UploadMode, readonly Request[]>;

function requestsOf(upload: UploadMode): fc.Arbitrary<Request> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom<Request[]>(...WRITES[upload]) },
    { weight: 4, arbitrary: fc.constantFrom<Request[]>("post", "edit", "callback") },
    { weight: 2, arbitrary: fc.constantFrom<Request[]>("status", "read", "file", "list", "cancel") },
  );
}

function killsOf(upload: UploadMode): fc.Arbitrary<Kill> {
  return fc.record({
    request: requestsOf(upload),
    nth: fc.constantFrom(1, 1, 1, 2, 3),
    when: fc.constantFrom("before", "after", "after", "answered", "moment"),
    delayMs: fc.integer({ min: 0, max: 150 }),
    // The long time exceeds Discord's memory for nonces and the life of a claim.
    downMs: fc.constantFrom(0, 0, 10 * 60_000),
  });
}

/** Faults that are not permanent refusals by the service. */
const LOST = [
  "500",
  "500-after",
  "500-after",
  "drop",
  "drop-after",
  "drop-after",
  "malformed",
  "truncated",
] as const satisfies readonly Trouble["do"][];

/** Wrong or incomplete answers of the service. */
const LIES = {
  simple: fc.constant({ request: "simple", do: "no-id" }),
  chunked: fc.constantFrom(
    { request: "transfer", do: "offset" },
    { request: "transfer", do: "half" },
    { request: "finish", do: "success-false" },
  ),
} as const satisfies Record<UploadMode, fc.Arbitrary<Pick<Trouble, "request" | "do">>>;

function troublesOf(upload: UploadMode): fc.Arbitrary<Trouble> {
  const kinds = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        request: fc.constantFrom<Request[]>(...WRITES[upload]),
        do: fc.constantFrom<Trouble["do"][]>(...LOST, "transient", "html"),
      }),
    },
    { weight: 1, arbitrary: LIES[upload] },
    {
      weight: 1,
      arbitrary: fc.record({
        request: fc.constantFrom<Request[]>("status", "list", "cancel"),
        do: fc.constantFrom<Trouble["do"][]>(...LOST, "transient", "html"),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        request: fc.constantFrom<Request[]>("post", "edit", "read", "callback", "file"),
        do: fc.constantFrom<Trouble["do"][]>(...LOST, "429"),
      }),
    },
  );
  // The messenger sends a request up to four times.
  return fc.tuple(kinds, fc.constantFrom(1, 1, 1, 2, 5)).map(([kind, times]) => ({ ...kind, times }));
}

/** Returns a value one time in this many, otherwise `undefined`. */
function sometimes<T>(arbitrary: fc.Arbitrary<T>, oneIn: number): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 1, arbitrary }, { weight: oneIn - 1, arbitrary: fc.constant(undefined) });
}

const videos: fc.Arbitrary<WantedVideo> = fc.record({
  isScheduled: fc.constantFrom(false, false, false, true),
  cancelAfterMs: sometimes(fc.integer({ min: 0, max: 6_000 }), 4),
});

const killsAtCard: fc.Arbitrary<Kill> = fc.record({
  request: fc.constantFrom<Request[]>("callback", "file"),
  nth: fc.constant(1),
  when: fc.constantFrom("before", "after", "moment"),
  delayMs: fc.integer({ min: 0, max: 60 }),
  downMs: fc.constant(0),
});

/** Days with one or two kills. A process uploads two files at once, so a third waits. */
export function badDays(upload: UploadMode): fc.Arbitrary<BadDay> {
  return fc.record({
    asksApproval: fc.constantFrom(false, false, true),
    videos: fc.array(videos, { minLength: 1, maxLength: 3 }),
    killAtCard: sometimes(killsAtCard, 8),
    kills: fc.array(killsOf(upload), { minLength: 1, maxLength: 2 }),
    troubles: fc.array(troublesOf(upload), { minLength: 1, maxLength: 4 }),
  });
}

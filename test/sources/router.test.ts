import { describe, expect, it } from "vitest";
import { ServiceError, type ServiceErrorKind } from "../../src/core/errors.ts";
import { type Source, createRouter } from "../../src/sources/router.ts";
import type { SourceName, TransportQuestion } from "../../src/sources/transport-data.ts";
import { createStillClock } from "../support/still-clock.ts";
import type { Purpose } from "../../src/plan/spending-table.ts";
import { createLog } from "../../src/core/log.ts";
import { lacksLaterHours } from "../../src/rail/board-row.ts";
import { explainSourceError } from "../../src/sources/source-words.ts";
import { fakeTransport } from "./transport-api/fake-transport.ts";

const MINUTE_MS = 60_000;
const QUESTION: TransportQuestion = {
  crs: "YRK",
  kind: "departures",
  windowMinutes: 120,
  limit: 500,
  live: true,
};

type Fails = ServiceError | undefined;

function failed(service: SourceName, kind: ServiceErrorKind, more = {}): ServiceError {
  return new ServiceError(service, kind, "no", more);
}

/** A router that prefers rail data to the transport service, which alone has timetables. */
function open() {
  const clock = createStillClock();
  const fails = new Map<SourceName, Fails>();
  const asked: SourceName[] = [];
  const source = (name: SourceName, canAnswer: (question: TransportQuestion) => boolean): Source => {
    const client: Source["clients"]["person"] = {
      canAnswer,
      async board(question) {
        asked.push(name);
        const failure = fails.get(name);
        if (failure) {
          throw failure;
        }
        return { ...(await fakeTransport({}).client.board(question)), source: name };
      },
      async train() {
        asked.push(name);
        throw failed(name, "not-found");
      },
    };
    return { name, clients: { person: client, board: client } };
  };
  const router = createRouter({
    sources: [source("rail-data", ({ live }) => live), source("transport", () => true)],
    clock,
    log: createLog({ level: "silent", secrets: [] }),
  });
  const ask = async (changed: Partial<TransportQuestion> = {}, purpose: Purpose = "person") =>
    (await router.clientFor(purpose).board({ ...QUESTION, ...changed })).source;
  const kindOf = (asking: Promise<unknown>) => asking.catch((error: unknown) => (error as ServiceError).kind);
  return { clock, fails, asked, router, ask, kindOf };
}

describe("a question", () => {
  it("goes to the first source that can answer it", async () => {
    const { ask, router } = open();
    expect(await ask()).toBe("rail-data");
    expect(await ask({ live: false })).toBe("transport");
    expect(router.answering(QUESTION)).toBe("rail-data");
  });

  it.each(["unavailable", "timeout", "rate-limited"] as const)(
    "goes to the next source at once after %s, and stays there for some minutes",
    async (kind) => {
      const { ask, fails, clock, asked, router } = open();
      fails.set("rail-data", failed("rail-data", kind));
      expect(await ask()).toBe("transport");
      fails.clear();
      clock.advance(3 * MINUTE_MS - 1);
      expect(await ask()).toBe("transport");
      expect(router.answering(QUESTION)).toBe("transport");
      expect(router.lastFailure("rail-data")).toMatchObject({ kind });
      clock.advance(1);
      expect(await ask()).toBe("rail-data");
      expect(asked).toEqual(["rail-data", "transport", "transport", "rail-data"]);
    },
  );

  it("goes to the next source if the budget is spent for 20 minutes, but not if it is for one minute", async () => {
    const { ask, fails, kindOf } = open();
    fails.set("rail-data", failed("rail-data", "budget-spent", { retryAfterMs: 20 * MINUTE_MS }));
    expect(await kindOf(ask({}, "board"))).toBe("budget-spent");
    expect(await ask({}, "board")).toBe("transport");
    fails.clear();
    expect(await ask({}, "board")).toBe("transport");
    expect(await ask({}, "person")).toBe("rail-data");
    fails.set("rail-data", failed("rail-data", "budget-spent", { retryAfterMs: MINUTE_MS }));
    expect(await kindOf(ask({}, "person"))).toBe("budget-spent");
    fails.clear();
    expect(await ask({}, "person")).toBe("rail-data");
  });

  it("returns to a source when that allows it", async () => {
    const { ask, fails, clock } = open();
    fails.set("rail-data", failed("rail-data", "rate-limited", { retryAfterMs: 10 * MINUTE_MS }));
    await ask();
    fails.clear();
    clock.advance(9 * MINUTE_MS);
    expect(await ask()).toBe("transport");
    clock.advance(MINUTE_MS);
    expect(await ask()).toBe("rail-data");
  });

  it("does not go for an hour to a source that refused its key, but questions for other products do", async () => {
    const { ask, fails, clock, router } = open();
    fails.set("rail-data", failed("rail-data", "unauthorised"));
    await ask();
    fails.clear();
    clock.advance(59 * MINUTE_MS);
    expect(await ask()).toBe("transport");
    expect(await ask({ kind: "arrivals" })).toBe("rail-data");
    expect(router.refusals()).toMatchObject([{ source: "rail-data", product: "departures" }]);
    clock.advance(MINUTE_MS);
    expect(await ask()).toBe("rail-data");
    expect(router.refusals()).toEqual([]);
  });

  it("is recorded for the owner and /about even if no other source can answer it", async () => {
    const { router } = open();
    const source = { name: "rail-data", credit: "The railway" } as const;
    const refused = () => Promise.reject(failed("rail-data", "unauthorised"));
    await expect(router.askOnly(source, "disruptions", refused)).rejects.toMatchObject({
      kind: "unauthorised",
    });
    expect(router.refusals()).toMatchObject([{ source: "rail-data", product: "disruptions" }]);
    expect(router.lastFailure("rail-data")).toMatchObject({ kind: "unauthorised" });
    expect(await router.askOnly(source, "disruptions", async () => ({}))).toEqual({ credit: "The railway" });
    expect(router.refusals()).toEqual([]);
  });

  it("goes to the next source if this one does not know the station, and no other question does", async () => {
    const { ask, fails, router } = open();
    fails.set("rail-data", failed("rail-data", "not-found"));
    await ask();
    fails.clear();
    expect(await ask()).toBe("transport");
    expect(await ask({ crs: "LDS" })).toBe("rail-data");
    expect(router.lastFailure("rail-data")).toBeUndefined();
  });

  it("goes to the next source for some minutes after an unexpected answer, and no other question does", async () => {
    const { ask, fails, clock } = open();
    fails.set("rail-data", failed("rail-data", "unexpected-answer"));
    await ask();
    fails.clear();
    expect(await ask({ crs: "LDS" })).toBe("rail-data");
    expect(await ask()).toBe("transport");
    clock.advance(3 * MINUTE_MS);
    expect(await ask()).toBe("rail-data");
  });

  it("of a board costs no call of the next source until it is asked again", async () => {
    const { ask, fails, asked, kindOf, router } = open();
    fails.set("rail-data", failed("rail-data", "unavailable"));
    expect(await kindOf(ask({}, "board"))).toBe("unavailable");
    expect(asked).toEqual(["rail-data"]);
    expect(router.answering(QUESTION)).toBe("transport");
    expect(await ask({}, "board")).toBe("transport");
  });

  it("still goes to the last source, however often that fails", async () => {
    const { ask, fails, kindOf } = open();
    fails.set("rail-data", failed("rail-data", "timeout"));
    fails.set("transport", failed("transport", "unavailable"));
    expect(await kindOf(ask())).toBe("unavailable");
    fails.set("transport", undefined);
    expect(await ask()).toBe("transport");
  });

  it("is refused with the reason if no source can answer it", async () => {
    const clock = createStillClock();
    const client: Source["clients"]["person"] = {
      canAnswer: ({ kind, from }) => kind === "departures" && from === undefined,
      board: async () => Promise.reject(new Error("this source must not be asked")),
    };
    const source = { name: "rail-data", clients: { person: client, board: client } } as const;
    const router = createRouter({
      sources: [source],
      clock,
      log: createLog({ level: "silent", secrets: [] }),
    });
    const refused = async (changed: Partial<TransportQuestion>) => {
      const error = await router
        .clientFor("person")
        .board({ ...QUESTION, ...changed })
        .catch((thrown: unknown) => thrown);
      expect(lacksLaterHours(error)).toBe(true);
      return error instanceof ServiceError ? explainSourceError(error) : undefined;
    };
    const from = Temporal.Instant.fromEpochMilliseconds(clock.now()).add({ hours: 5 });
    expect(await refused({ from })).toMatch(/less than four hours ahead/);
    expect(await refused({ kind: "arrivals" })).toMatch(/no live times for that/);
  });

  it("stays with its source if only the person's share is used up, or if the database fails", async () => {
    const { ask, fails, kindOf, asked } = open();
    fails.set("rail-data", failed("rail-data", "budget-spent", { reason: "own-share" }));
    expect(await kindOf(ask())).toBe("budget-spent");
    fails.set("rail-data", new ServiceError("storage", "unavailable", "no"));
    expect(await kindOf(ask())).toBe("unavailable");
    expect(asked).toEqual(["rail-data", "rail-data"]);
  });
});

describe("a train", () => {
  it("is requested only from the source of its id", async () => {
    const { router, kindOf, asked } = open();
    const startDate = Temporal.PlainDate.from("2026-03-04");
    const { train } = router.clientFor("person");
    expect(await kindOf(train({ trainUid: "ldb:1337298WLNGBRO1", startDate }))).toBe("not-found");
    expect(await kindOf(train({ trainUid: "C00001", startDate }))).toBe("not-found");
    expect(asked).toEqual(["rail-data", "transport"]);
  });
});

import { describe, expect, it } from "vitest";
import { runFor } from "../../src/core/asker.ts";
import { ServiceError, type ServiceErrorKind } from "../../src/core/errors.ts";
import { createAnswers, stalenessOf } from "../../src/sources/answers.ts";
import { createStillClock } from "../support/still-clock.ts";

const FRESH_MS = 60_000;
const STALE_MS = 3_600_000;

function open(maxEntries?: number) {
  const clock = createStillClock();
  const answers = createAnswers({
    clock,
    freshMs: FRESH_MS,
    staleMs: STALE_MS,
    ...(maxEntries === undefined ? {} : { maxEntries }),
  });
  let calls = 0;
  const fetch = async () => `answer ${(calls += 1)}`;
  return { clock, answers, fetch, calls: () => calls };
}

const failing = (kind: ServiceErrorKind) => async () => {
  throw new ServiceError("transport", kind, "no");
};

describe("cached answers", () => {
  it("are requested once for many people who wait, and at most once a minute", async () => {
    const { answers, fetch, clock, calls } = open();
    const all = await Promise.all(Array.from({ length: 500 }, () => answers.ask("york", fetch)));
    expect(new Set(all.map(({ value }) => value))).toEqual(new Set(["answer 1"]));
    clock.advance(FRESH_MS - 1);
    expect(await answers.ask("york", fetch)).toEqual({
      value: "answer 1",
      ageMs: FRESH_MS - 1,
      failure: undefined,
    });
    clock.advance(2);
    expect(await answers.ask("york", fetch)).toMatchObject({ value: "answer 2", ageMs: 0 });
    expect(calls()).toBe(2);
  });

  it("are separate for each key", async () => {
    const { answers, fetch } = open();
    expect((await answers.ask("york", fetch)).value).toBe("answer 1");
    expect((await answers.ask("leeds", fetch)).value).toBe("answer 2");
  });

  it.each(["budget-spent", "unavailable", "timeout", "rate-limited"] as const)(
    "are shown stale if the failure is %s",
    async (kind) => {
      const { answers, fetch, clock } = open();
      await answers.ask("york", fetch);
      clock.advance(12 * 60_000);
      const old = await answers.ask("york", failing(kind));
      expect(old).toMatchObject({ value: "answer 1", ageMs: 12 * 60_000, failure: { kind } });
      expect(stalenessOf(old)).toMatchObject({ ageMinutes: 12, why: kind });
      expect((await answers.ask("york", fetch)).value).toBe("answer 2");
    },
  );

  it("are stale for everybody who waited for the failed request", async () => {
    const { answers, fetch, clock } = open();
    await answers.ask("york", fetch);
    clock.advance(2 * FRESH_MS);
    const all = await Promise.all(
      Array.from({ length: 3 }, () => answers.ask("york", failing("unavailable"))),
    );
    expect(all.map(({ failure }) => failure?.kind)).toEqual(["unavailable", "unavailable", "unavailable"]);
  });

  it.each(["not-found", "unauthorised", "rejected", "unexpected-answer"] as const)(
    "do not hide a failure that is %s",
    async (kind) => {
      const { answers, fetch, clock } = open();
      await answers.ask("york", fetch);
      clock.advance(2 * FRESH_MS);
      await expect(answers.ask("york", failing(kind))).rejects.toMatchObject({ kind });
    },
  );

  it("are not shown if they are too old or were never there", async () => {
    const { answers, fetch, clock } = open();
    await expect(answers.ask("york", failing("timeout"))).rejects.toMatchObject({ kind: "timeout" });
    await answers.ask("york", fetch);
    clock.advance(STALE_MS + 1);
    await expect(answers.ask("york", failing("timeout"))).rejects.toMatchObject({ kind: "timeout" });
  });

  it("can be requested by somebody else if only one person's share is used up", async () => {
    const { answers, fetch, calls } = open();
    const refused = async () => {
      throw new ServiceError("transport", "budget-spent", "no", { reason: "own-share" });
    };
    const asks = [
      { userId: "ada", how: refused },
      { userId: "ada", how: fetch },
      { userId: "grace", how: fetch },
      { userId: "mary", how: fetch },
    ];
    const results = await Promise.allSettled(
      asks.map(({ userId, how }) => runFor({ userId, guildId: "1" }, () => answers.ask("york", how))),
    );
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled", "fulfilled"]);
    expect(calls()).toBe(1);
    const failure = new ServiceError("transport", "budget-spent", "no", { reason: "server-share" });
    expect(stalenessOf({ value: 1, ageMs: 60_000, failure })?.why).toBe("server-share");
  });

  it("are forgotten if there are too many, the least recently used first", async () => {
    const { answers, fetch } = open(2);
    await answers.ask("york", fetch);
    await answers.ask("leeds", fetch);
    await answers.ask("york", fetch);
    await answers.ask("selby", fetch);
    expect((await answers.ask("york", fetch)).value).toBe("answer 1");
    expect((await answers.ask("leeds", fetch)).value).toBe("answer 4");
  });

  it("reach everybody who waits even if they are evicted meanwhile", async () => {
    const { answers } = open(1);
    const gate = Promise.withResolvers<string>();
    const first = answers.ask("york", () => gate.promise);
    const second = answers.ask("leeds", async () => "leeds");
    gate.resolve("york");
    expect([(await first).value, (await second).value]).toEqual(["york", "leeds"]);
  });

  it("can be read without a request while they may still be shown", async () => {
    const { answers, fetch, clock } = open();
    expect(answers.peek("york")).toBeUndefined();
    await answers.ask("york", fetch);
    clock.advance(STALE_MS);
    expect(answers.peek("york")).toMatchObject({ value: "answer 1", ageMs: STALE_MS });
    clock.advance(1);
    expect(answers.peek("york")).toBeUndefined();
  });
});

describe("cached answers from a time when the clock was ahead", () => {
  const NIGHT_MS = 6 * 3_600_000;

  it("do not count once the clock is right again", async () => {
    const { answers, fetch, clock } = open();
    clock.advance(NIGHT_MS);
    await answers.ask("york", fetch);
    clock.advance(-NIGHT_MS);
    expect(answers.peek("york")).toBeUndefined();
    expect(answers.peekAll("york")).toEqual([]);
    await expect(answers.ask("york", failing("unavailable"))).rejects.toThrow("no");
    const all = await Promise.all([answers.ask("york", fetch), answers.ask("york", fetch)]);
    expect(all).toMatchObject([
      { value: "answer 2", ageMs: 0 },
      { value: "answer 2", ageMs: 0 },
    ]);
  });

  it("count as fresh if the clock was only a little ahead", async () => {
    const { answers, fetch, clock } = open();
    await answers.ask("york", fetch);
    clock.advance(-5_000);
    expect(await answers.ask("york", fetch)).toMatchObject({ value: "answer 1", ageMs: 0 });
  });
});

describe("people and boards that ask the same question at once", () => {
  /** The first request hangs until the test settles `gate`; `sent` lists who sent each request. */
  function openHeld() {
    const { answers } = open();
    const gate = Promise.withResolvers<string>();
    const sent: string[] = [];
    const ask = (purpose: "person" | "board", answer: () => Promise<string>) =>
      answers.ask(
        "york",
        () => {
          sent.push(purpose);
          return sent.length === 1 ? gate.promise : answer();
        },
        purpose,
      );
    return { gate, sent, ask };
  }
  const spent = new ServiceError("transport", "budget-spent", "no");

  it.each([
    ["person", "board"],
    ["board", "person"],
  ] as const)("share the answer that a %s requested first and a %s joined", async (first, second) => {
    const { gate, sent, ask } = openHeld();
    const both = [ask(first, failing("timeout")), ask(second, failing("timeout"))];
    gate.resolve("the answer");
    expect((await Promise.all(both)).map(({ value }) => value)).toEqual(["the answer", "the answer"]);
    expect(sent).toEqual([first]);
  });

  it.each([
    ["person", "board"],
    ["board", "person"],
  ] as const)("do not share the refusal of a %s without budget with a %s", async (first, second) => {
    const { gate, sent, ask } = openHeld();
    const began = ask(first, async () => "never");
    const joined = [1, 2, 3].map(() => ask(second, async () => "their own"));
    gate.reject(spent);
    await expect(began).rejects.toBe(spent);
    expect((await Promise.all(joined)).map(({ value }) => value)).toEqual(Array(3).fill("their own"));
    expect(sent).toEqual([first, second]);
  });

  it("share every other failure", async () => {
    const { gate, sent, ask } = openHeld();
    const all = [ask("board", async () => "no"), ask("person", async () => "no")];
    gate.reject(new ServiceError("transport", "timeout", "no"));
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(sent).toEqual(["board"]);
  });

  it("are both refused if neither has any budget left", async () => {
    const { gate, sent, ask } = openHeld();
    const all = [ask("board", failing("budget-spent")), ask("person", failing("budget-spent"))];
    gate.reject(spent);
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(sent).toEqual(["board", "person"]);
  });
});

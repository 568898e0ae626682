import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import type { Asker } from "../../src/core/asker.ts";
import { type QueueLimits, createQueue } from "../../src/pictures/queue.ts";

const WIDE: QueueLimits = { concurrency: 1, maxPerPerson: 50, maxPerServer: 50, maxWaiting: 100 };

interface Job {
  readonly name: string;
  readonly done: Promise<unknown>;
  readonly positions: readonly number[];
  readonly stop: () => void;
}

/** A queue whose work ends when the test says so. */
function open(limits: Partial<QueueLimits> = {}) {
  const queue = createQueue({ ...WIDE, ...limits });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();

  function join(name: string, guildId: string | undefined, isBackground = false): Job {
    const positions: number[] = [];
    const controller = new AbortController();
    const by: Asker = { userId: name.replace(/\d+$/, ""), guildId };
    const work = () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    };
    const done = queue.run(by, work, {
      signal: controller.signal,
      onPosition: (position) => positions.push(position),
      isBackground,
    });
    done.catch(() => undefined);
    return { name, done, positions, stop: () => controller.abort() };
  }

  /** Ends all work, the oldest first, until nothing is running. */
  async function drain(): Promise<readonly string[]> {
    await settle();
    for (let settled = 0; settled < begun.length; settled += 1) {
      ends.get(begun[settled] ?? "")?.();
      await settle();
    }
    return begun;
  }
  return { join, drain, begun, end: (name: string) => ends.get(name)?.() };
}

/** Waits one turn of the event loop, in which all consequences happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("the queue", () => {
  it("starts as much work at once as the concurrency allows", async () => {
    const { join, begun } = open({ concurrency: 2 });
    join("ada", "g");
    join("alan", "g");
    join("mary", "g");
    await settle();
    expect(begun).toEqual(["ada", "alan"]);
  });

  it("runs one picture per person at a time, and other people's meanwhile", async () => {
    const { join, begun } = open({ concurrency: 2 });
    join("ada1", "g");
    join("ada2", "g");
    join("alan1", "g");
    await settle();
    expect(begun).toEqual(["ada1", "alan1"]);
  });

  it("takes turns between servers, however much one of them asks for", async () => {
    const { join, drain } = open();
    for (const name of ["a1", "b1", "c1", "d1"]) {
      join(name, "busy");
    }
    join("x1", "quiet");
    join("y1", undefined);
    expect(await drain()).toEqual(["a1", "x1", "y1", "b1", "c1", "d1"]);
  });

  it("takes turns between the members of a server", async () => {
    const { join, drain } = open();
    for (const name of ["ada1", "ada2", "ada3", "alan1", "alan2", "mary1"]) {
      join(name, "g");
    }
    expect(await drain()).toEqual(["ada1", "alan1", "mary1", "ada2", "alan2", "ada3"]);
  });

  it("starts background work after everything else", async () => {
    const { join, drain } = open();
    join("ada1", "g");
    join("previews1", undefined, true);
    join("ada2", "g");
    expect(await drain()).toEqual(["ada1", "ada2", "previews1"]);
  });

  it("reports each person's position, and again when it changes", async () => {
    const { join, end } = open();
    join("ada1", "g");
    const alan = join("alan1", "g");
    const mary = join("mary1", "g");
    const stranger = join("stranger1", "other");
    expect([alan, mary, stranger].map(({ positions }) => positions)).toEqual([[1, 2], [2, 3], [1]]);
    await settle();
    end("ada1");
    await settle();
    expect([alan, mary].map(({ positions }) => positions)).toEqual([
      [1, 2, 1],
      [2, 3, 2],
    ]);
  });

  it("turns away people who have too much in the queue, and everybody if it is full", async () => {
    const { join } = open({ maxPerPerson: 2, maxPerServer: 3, maxWaiting: 4 });
    for (const name of ["ada1", "ada2", "ada3"]) {
      join(name, "g");
    }
    await expect(join("ada4", "g").done).rejects.toThrow(/^You already have pictures waiting/);
    join("alan1", "g");
    await expect(join("mary1", "g").done).rejects.toThrow(/^Lots of pictures are waiting/);
    join("x1", "other");
    await expect(join("y1", "third").done).rejects.toThrow(UserError);
  });

  it("removes cancelled work without starting it", async () => {
    const { join, drain } = open();
    join("ada1", "g");
    const alan = join("alan1", "g");
    const mary = join("mary1", "g");
    alan.stop();
    await expect(alan.done).rejects.toMatchObject({ kind: "aborted" });
    expect(mary.positions).toEqual([2, 1]);
    expect(await drain()).toEqual(["ada1", "mary1"]);
  });

  it("continues after work that fails", async () => {
    const queue = createQueue(WIDE);
    const options = { signal: new AbortController().signal, onPosition: () => undefined };
    const by = { userId: "1", guildId: "g" };
    await expect(queue.run(by, () => Promise.reject(new Error("broken")), options)).rejects.toThrow("broken");
    expect(await queue.run(by, async () => "fine", options)).toBe("fine");
  });

  it("starts all work exactly once, whoever asks for it", async () => {
    const asks = fc.array(
      fc.record({ person: fc.constantFrom("a", "b", "c", "d"), guild: fc.constantFrom("g", "h") }),
      {
        maxLength: 30,
      },
    );
    await fc.assert(
      fc.asyncProperty(asks, fc.integer({ min: 1, max: 3 }), async (asked, concurrency) => {
        const { join, drain } = open({ concurrency });
        const names = asked.map(({ person, guild }, index) => {
          const name = `${person}${guild}${index}`;
          join(name, guild);
          return name;
        });
        expect([...(await drain())].toSorted()).toEqual(names.toSorted());
      }),
      { numRuns: 50 },
    );
  });
});

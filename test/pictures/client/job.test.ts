import { describe, expect, test } from "vitest";
import type { StyleRequest } from "../../../src/pictures/client/style-client.ts";
import { ServiceError } from "../../../src/core/errors.ts";
import { PNG, STYLE_KEY, type StubAnswer, openStyleStub } from "../../support/style-stub.ts";

const INLINE = PNG.toString("base64");
const URLS = { get: "/jobs/p1", cancel: "/jobs/p1/cancel" };

/** A service whose first answer is `taken`. Its job then gives the other answers in order, and repeats the last. */
function openJob(taken: StubAnswer, ...later: readonly (StubAnswer | "hang")[]) {
  return openStyleStub((request, count) =>
    request === "POST /v1/process" ? taken : (later[count - 1] ?? later.at(-1) ?? {}),
  );
}

const kindOf = (asking: Promise<unknown>): Promise<string> =>
  asking.then(
    () => "no failure",
    (error: unknown) => (error instanceof ServiceError ? error.kind : String(error)),
  );

describe("a job", () => {
  test.each([
    [
      "a prediction",
      { status: 201, body: { id: "p1", status: "starting", output: null, urls: URLS } },
      [
        { body: { id: "p1", status: "processing", output: null, urls: URLS } },
        { body: { id: "p1", status: "succeeded", output: ["/outputs/p1.png"] } },
        { body: PNG },
      ],
      ["/jobs/p1", "/jobs/p1", "/outputs/p1.png"],
    ],
    [
      "a queue with the result elsewhere",
      { body: { request_id: "r1", status_url: "/q/r1/status", response_url: "/q/r1" } },
      [{ body: { status: "IN_QUEUE", queue_position: 3 } }],
      ["/q/r1/status", "/q/r1/status", "/q/r1"],
    ],
    [
      "a Location header",
      { status: 202, body: {}, headers: { location: "/jobs/7" } },
      [{ body: { progress: "35" } }, { body: PNG }],
      ["/jobs/7", "/jobs/7"],
    ],
    [
      "a numeric id",
      { body: { code: 0, data: 90_210, msg: null }, headers: { location: "/jobs/90210" } },
      [
        { body: { code: 0, data: { percentage: 40, status: 0, waitNumber: 2 } } },
        { body: { code: 0, data: { percentage: 100, status: 1, result_b64: INLINE } } },
      ],
      ["/jobs/90210", "/jobs/90210"],
    ],
    [
      "a result's address before there is a result",
      { body: { id: "b1", status: "Pending", result_url: "/results/b1" } },
      [{ body: { id: "b1", status: "Ready", result: { sample: `data:image/png;base64,${INLINE}` } } }],
      ["/results/b1"],
    ],
    [
      "a success that only means accepted",
      { body: { status: "success", id: "m1", poll_url: "/m1" } },
      [{ body: { status: "in progress" } }, { body: { status: "success", image: INLINE } }],
      ["/m1", "/m1"],
    ],
  ] as const)("is followed from %s to its picture", async (_, taken, later, paths) => {
    const stub = await openStyleStub((request, count) => {
      if (request === "POST /v1/process") {
        return taken;
      }
      if (request === "GET /outputs/p1.png") {
        return { body: PNG };
      }
      if (request === "GET /q/r1/status") {
        return count === 1 ? later[0] : { body: { status: "COMPLETED" } };
      }
      return request === "GET /q/r1"
        ? { body: { images: [{ url: `data:image/png;base64,${INLINE}` }] } }
        : (later[count - 1] ?? {});
    });
    expect(Buffer.from(await stub.advanceUntil(stub.process()))).toEqual(PNG);
    expect(stub.server.seen.slice(1).map(({ path }) => path)).toEqual(paths);
    expect(stub.server.seen[1]?.headers.authorization).toBe(`Bearer ${STYLE_KEY}`);
  });

  test("is polled at growing intervals, and reports its progress", async () => {
    const states: Parameters<NonNullable<StyleRequest["onWorking"]>>[0][] = [];
    const { process, clock, server } = await openJob(
      { body: { id: 1, status: "queued", queue_position: 2, urls: URLS } },
      { body: { status: "processing", progress: 0.25 } },
      { body: { status: "processing", percentage: 60 } },
      { body: { status: "processing" } },
      { body: { status: "processing" } },
      { body: PNG },
    );
    const result = process({ onWorking: (state) => states.push(state) });
    for (const [index, waitMs] of [1_000, 1_500, 2_250, 3_375, 5_000].entries()) {
      await expect.poll(() => [server.seen.length, clock.waits()]).toEqual([index + 1, [waitMs]]);
      clock.advance(waitMs);
    }
    expect(Buffer.from(await result)).toEqual(PNG);
    expect(states.slice(0, 3)).toEqual([
      { share: undefined, position: 2 },
      { share: 0.25, position: undefined },
      { share: 0.6, position: undefined },
    ]);
  });

  test("is not polled sooner than the service says", async () => {
    const { process, clock, server } = await openJob(
      { body: { urls: URLS }, headers: { "retry-after": "12", "ratelimit-reset": "60" } },
      { body: { status: "running" }, headers: { "retry-after": "20" } },
      { body: PNG },
    );
    const result = process();
    await expect.poll(() => clock.waits()).toEqual([12_000]);
    clock.advance(12_000);
    await expect.poll(() => [server.seen.length, clock.waits()]).toEqual([2, [20_000]]);
    clock.advance(20_000);
    expect(Buffer.from(await result)).toEqual(PNG);
  });

  test("survives polls that fail, but not five in a row", async () => {
    const bad = [{ status: 500 }, { status: 429 }, { status: 503 }, { status: 502 }];
    const some = await openJob({ body: { urls: URLS } }, ...bad, { body: PNG });
    expect(Buffer.from(await some.advanceUntil(some.process()))).toEqual(PNG);
    const all = await openJob({ body: { urls: URLS } }, { status: 500 });
    expect(await kindOf(all.advanceUntil(all.process()))).toBe("unavailable");
    expect(all.server.seen).toHaveLength(1 + 5);
  });

  test.each([
    [{ status: 404 }, "unavailable"],
    [{ body: { status: "failed", error: "out of memory" } }, "unavailable"],
    [{ body: { status: "Content Moderated" } }, "rejected"],
    [{ body: { status: "Task not found" } }, "unavailable"],
    [{ body: { status: "succeeded", output: null } }, "unexpected-answer"],
    [{ body: "<html>" }, "unexpected-answer"],
    [{ status: 302, headers: { location: "http://127.0.0.1:1/" } }, "unexpected-answer"],
  ] as const)("fails at once if it answers %j", async (answer, kind) => {
    const { process, advanceUntil, server } = await openJob({ body: { urls: URLS } }, answer);
    expect(await kindOf(advanceUntil(process()))).toBe(kind);
    expect(server.seen).toHaveLength(2);
  });

  test("is followed to its end although the clock is set ahead", async () => {
    const { process, advanceUntil, clock } = await openJob(
      { body: { urls: URLS } },
      { body: { status: "processing" } },
      { body: PNG },
    );
    const result = kindOf(process());
    await expect.poll(() => clock.waits()).toEqual([1_000]);
    clock.jump(86_400_000);
    expect(await advanceUntil(result)).toBe("no failure");
  });

  test("times out and is cancelled within five minutes", async () => {
    const { process, advanceUntil, clock, server } = await openJob(
      { body: { urls: URLS } },
      { body: { status: "processing" } },
    );
    const startedAt = clock.now();
    expect(await kindOf(advanceUntil(process()))).toBe("timeout");
    expect(clock.now() - startedAt).toBeLessThanOrEqual(5 * 60_000);
    expect(clock.now() - startedAt).toBeGreaterThan(4 * 60_000);
    await expect.poll(() => server.seen.at(-1)?.path).toBe(URLS.cancel);
  });

  test("is cancelled, with the key, when the person cancels", async () => {
    const { process, clock, server } = await openJob({ body: { urls: URLS } }, { body: {} });
    const stop = new AbortController();
    const result = kindOf(process({ signal: stop.signal }));
    await expect.poll(() => clock.waits()).toEqual([1_000]);
    stop.abort();
    expect(await result).toBe("aborted");
    await expect.poll(() => server.seen.at(-1)).toMatchObject({ method: "POST", path: URLS.cancel });
    expect(server.seen.at(-1)?.headers.authorization).toBe(`Bearer ${STYLE_KEY}`);
  });

  test("is neither polled nor cancelled at a private address", async () => {
    const urls = { get: "http://10.0.0.1/jobs", cancel: "http://10.0.0.1/cancel" };
    const { process, advanceUntil, server } = await openJob({ body: { id: 1, urls } });
    expect(await kindOf(advanceUntil(process()))).toBe("unexpected-answer");
    expect(server.seen).toHaveLength(1);
  });
});

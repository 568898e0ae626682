import { once } from "node:events";
import { DiscordAPIError, HTTPError, REST, RateLimitError, Routes } from "discord.js";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { noMeter } from "../../src/core/meter.ts";
import { createDirectPost, limitWaits, restOptions } from "../../src/discord/rest.ts";
import { startStub } from "../support/stub-server.ts";

const APPLICATION_ID = "1000000000000000001";
const QUARTER_HOUR_MS = 900_000;

function configOf(apiBaseUrl: URL) {
  return { token: "a.good.token", apiBaseUrl, cdnHosts: [], shards: "auto", shardCount: "auto" } as const;
}

afterEach(() => {
  vi.useRealTimers();
});

it("the REST client's handlers for answers are removed when their tokens have expired", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  await using stub = await startStub((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const rest = new REST(restOptions(configOf(stub.url), noMeter));
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      rest.patch(Routes.webhookMessage(APPLICATION_ID, `token-${index}`), { body: {}, auth: false }),
    ),
  );
  expect(rest.handlers.size).toBe(20);
  vi.advanceTimersByTime(QUARTER_HOUR_MS);
  expect(rest.handlers.size).toBe(0);
  rest.clearHashSweeper();
  rest.clearHandlerSweeper();
});

describe("a direct post", () => {
  /** Posts once to a server that gives this answer. */
  async function post(status: number, type: string, answer: string) {
    await using stub = await startStub((_request, response) => {
      response.writeHead(status, type === "" ? {} : { "content-type": type }).end(answer);
    });
    const counted: unknown[] = [];
    const count = (_name: string, labels: object) => void counted.push(labels);
    const noted: number[] = [];
    const direct = createDirectPost(
      configOf(stub.url),
      { ...noMeter, count },
      (each) => void noted.push(each),
    );
    const outcome = await direct
      .post("/interactions/1/t/callback", { type: 5 })
      .catch((error: unknown) => error);
    await direct.close();
    expect(noted).toEqual([status]);
    return { seen: stub.seen, counted, outcome };
  }

  it("sends the body to the route without the bot's token, and is counted", async () => {
    const { seen, counted, outcome } = await post(204, "", "");
    expect(seen).toMatchObject([{ method: "POST", path: "/v10/interactions/1/t/callback" }]);
    expect([seen[0]?.headers.authorization, seen[0]?.bytes.toString()]).toEqual([undefined, '{"type":5}']);
    expect([outcome, counted]).toEqual([undefined, [{ status: 204 }]]);
  });

  it.each([
    ["Discord's own refusal", 404, "application/json", '{"code":10062,"message":"Unknown"}', DiscordAPIError],
    ["a gateway's page", 502, "text/html", "<html>", HTTPError],
    ["a gateway's page for a refusal", 403, "text/html", "<html>", HTTPError],
    ["a rate limit", 429, "application/json", '{"code":0,"message":"Slow down","retry_after":1}', HTTPError],
  ])("fails with discord.js's error for %s", async (_, status, type, answer, expected) => {
    const { outcome, counted } = await post(status, type, answer);
    expect(outcome).toBeInstanceOf(expected);
    expect([outcome, counted]).toEqual([expect.objectContaining({ status }), [{ status }]]);
  });

  it("fails if the connection breaks, and is counted", async () => {
    await using stub = await startStub((_request, response) => void response.destroy());
    const counted: unknown[] = [];
    const count = (_name: string, labels: object) => void counted.push(labels);
    const direct = createDirectPost(configOf(stub.url), { ...noMeter, count }, () => undefined);
    await expect(direct.post("/interactions/1/t/callback", { type: 5 })).rejects.toThrow("other side closed");
    expect(counted).toEqual([{ status: "none" }]);
    await direct.close();
  });

  it("keeps the code of Discord's refusal", async () => {
    const { outcome } = await post(404, "application/json", '{"code":10062,"message":"Unknown"}');
    expect(outcome).toMatchObject({ code: 10_062, message: "Unknown" });
  });
});

/** A REST client that has learnt a bucket's limit of one request in two seconds, and has just sent one. */
async function openLimited() {
  let asked = 0;
  const stub = await startStub((_request, response) => {
    asked += 1;
    const headers = { "content-type": "application/json", "x-ratelimit-bucket": "posts" };
    const limit = { "x-ratelimit-limit": 1, "x-ratelimit-remaining": 0, "x-ratelimit-reset-after": 2 };
    response.writeHead(200, { ...headers, ...limit }).end("{}");
  });
  const rest = new REST({ api: stub.url.href.replace(/\/$/, "") }).setToken("a.good.token");
  const stop = limitWaits(rest);
  onTestFinished(async () => {
    stop();
    await stub[Symbol.asyncDispose]();
  });
  const post = (): Promise<unknown> => rest.post("/channels/1/messages", { body: {} });
  // discord.js learns the bucket from the first response, and its limit from the second.
  await post();
  await post();
  return { rest, post, asked: () => asked };
}

function setBack(): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
}

it("a request that waits for a rate limit is sent in time even if the clock is set back", async () => {
  const { rest, post, asked } = await openLimited();
  const limited = once(rest, "rateLimited");
  const waiting = post();
  await limited;
  setBack();
  await expect.poll(asked, { timeout: 5_000 }).toBe(3);
  await waiting;
});

it("a request just after the clock is set back fails at once, and the next one is sent", async () => {
  const { post, asked } = await openLimited();
  setBack();
  await expect(post()).rejects.toBeInstanceOf(RateLimitError);
  await post();
  expect(asked()).toBe(3);
});

it.each([
  ["an hour", { "retry-after": "3600" }],
  ["an unspecified time", {}],
])("a request that Discord asks to wait for %s fails at once", async (_, headers) => {
  await using stub = await startStub((_request, response) => {
    const more = { "content-type": "application/json", ...headers };
    response.writeHead(429, more).end('{"code":0,"message":"Slow down"}');
  });
  const rest = new REST({ api: stub.url.href.replace(/\/$/, "") }).setToken("a.good.token");
  onTestFinished(limitWaits(rest));
  const requests = [
    rest.put("/applications/1/commands", { body: [] }),
    rest.post("/interactions/1/t/callback"),
  ];
  const outcomes = await Promise.allSettled(requests);
  const refused = { status: "rejected", reason: expect.any(RateLimitError) };
  expect(outcomes).toEqual([refused, refused]);
  expect(stub.seen).toHaveLength(2);
});

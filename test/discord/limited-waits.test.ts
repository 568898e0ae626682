import { once } from "node:events";
import { RateLimitError, REST } from "discord.js";
import { expect, it, onTestFinished, vi } from "vitest";
import { limitWaits } from "../../src/discord/rest.ts";
import { startStub } from "../support/stub-server.ts";

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
    vi.useRealTimers();
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

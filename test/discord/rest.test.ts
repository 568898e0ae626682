import { DiscordAPIError, HTTPError, REST, Routes } from "discord.js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { noMeter } from "../../src/core/meter.ts";
import { createDirectPost, restOptions } from "../../src/discord/rest.ts";
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

import { REST, Routes } from "discord.js";
import { afterEach, expect, it, vi } from "vitest";
import { noMeter } from "../../src/core/meter.ts";
import { restOptions } from "../../src/discord/rest.ts";
import { startStub } from "../support/stub-server.ts";

const APPLICATION_ID = "1000000000000000001";
const QUARTER_HOUR_MS = 900_000;

afterEach(() => {
  vi.useRealTimers();
});

it("what was kept for the answers of a crowd is gone when their tokens have died", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  await using stub = await startStub((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const config = {
    token: "a.good.token",
    apiBaseUrl: stub.url,
    cdnHosts: [],
    shards: "auto",
    shardCount: "auto",
  } as const;
  const rest = new REST(restOptions(config, noMeter));
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

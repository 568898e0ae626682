import { DiscordAPIError, HTTPError, RateLimitError } from "discord.js";
import { expect, it } from "vitest";
import { ConfigError, ServiceError } from "../../src/core/errors.ts";
import { explainRefusal } from "../../src/discord/explain-refusal.ts";

const GET = "GET";
const URL = "https://discord.test/api/v10/gateway/bot";

it.each([
  [
    "a refused token",
    new DiscordAPIError({ code: 0, message: "401: Unauthorized" }, 0, 401, GET, URL, {}),
    /^Discord does not accept DISCORD_TOKEN/,
  ],
  [
    "the address of another server",
    new DiscordAPIError({ code: 0, message: "404: Not Found" }, 0, 404, GET, URL, {}),
    /^DISCORD_API_BASE_URL .*without the version/,
  ],
])("explainRefusal turns %s into a clear error", (_, error, sentence) => {
  const explained = explainRefusal(error);
  expect(explained).toBeInstanceOf(ConfigError);
  expect(explained).toMatchObject({ message: expect.stringMatching(sentence) });
});

const limit = {
  global: true,
  hash: "unknown",
  limit: 50,
  majorParameter: "global",
  method: GET,
  retryAfter: 4_000,
  route: "/gateway/bot",
  scope: "global",
  sublimitTimeout: 0,
  timeToReset: 4_000,
  url: URL,
} as const;

it.each([
  [
    "a failure at Discord",
    new HTTPError(503, "Unavailable", GET, URL, {}),
    { kind: "unavailable", status: 503 },
  ],
  [
    "a page of Discord's front end",
    new DiscordAPIError(new ArrayBuffer(8) as never, undefined as never, 403, GET, URL, {}),
    { kind: "unavailable", status: 403 },
  ],
  [
    "a refusal by Discord's front end",
    new DiscordAPIError({ code: 40_333, message: "internal network error" }, 40_333, 403, GET, URL, {}),
    { kind: "unavailable", status: 403 },
  ],
  [
    "an unreachable network",
    Object.assign(new Error("connect"), { code: "ENETUNREACH" }),
    { kind: "unavailable", message: "discord: unavailable: ENETUNREACH" },
  ],
  [
    "a certificate that a wrong clock makes invalid",
    Object.assign(new Error("certificate is not yet valid"), { code: "CERT_NOT_YET_VALID" }),
    { kind: "unavailable", message: "discord: unavailable: CERT_NOT_YET_VALID" },
  ],
  ["no answer", new DOMException("This operation was aborted", "AbortError"), { kind: "timeout" }],
  ["a rate limit", new RateLimitError(limit), { kind: "rate-limited", retryAfterMs: 4_000 }],
])("explainRefusal turns %s into a transient error", (_, error, details) => {
  const explained = explainRefusal(error);
  expect(explained).toBeInstanceOf(ServiceError);
  expect(explained).toMatchObject({ service: "discord", ...details });
});

it("explainRefusal leaves a bug unchanged", () => {
  const bug = new TypeError("oh dear");
  expect(explainRefusal(bug)).toBe(bug);
});

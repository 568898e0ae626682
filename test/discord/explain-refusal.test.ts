import { DiscordAPIError, HTTPError } from "discord.js";
import { expect, it } from "vitest";
import { ConfigError } from "../../src/core/errors.ts";
import { explainRefusal } from "../../src/discord/explain-refusal.ts";

const GET = "GET";
const URL = "https://discord.test/api/v10/gateway/bot";

it.each([
  [
    "a refused token",
    new DiscordAPIError({ code: 0, message: "401: Unauthorized" }, 0, 401, GET, URL, {}),
    /^DISCORD_TOKEN is not accepted/,
  ],
  [
    "an address of something else",
    new DiscordAPIError({ code: 0, message: "404: Not Found" }, 0, 404, GET, URL, {}),
    /^DISCORD_API_BASE_URL .*without the version/,
  ],
  [
    "trouble of Discord's own",
    new HTTPError(503, "Service Unavailable", GET, URL, {}),
    /^DISCORD_API_BASE_URL answers with 503.*discordstatus/,
  ],
  [
    "no way there",
    Object.assign(new Error("connect"), { code: "ENETUNREACH" }),
    /^DISCORD_API_BASE_URL cannot be reached \(ENETUNREACH\)/,
  ],
  [
    "no answer",
    new DOMException("This operation was aborted", "AbortError"),
    /^DISCORD_API_BASE_URL cannot be reached \(no answer\)/,
  ],
])("explains %s in a sentence", (_, error, sentence) => {
  const explained = explainRefusal(error);
  expect(explained).toBeInstanceOf(ConfigError);
  expect(explained).toMatchObject({ message: expect.stringMatching(sentence) });
});

it("leaves a bug as it is", () => {
  const bug = new TypeError("oh dear");
  expect(explainRefusal(bug)).toBe(bug);
});

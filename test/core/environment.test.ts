import { describe, expect, test } from "vitest";
import { findMisspelt, isSet } from "../../src/core/environment.ts";

test("the first variable of a file that begins with a byte order mark is read", () => {
  const environment = { "\uFEFFDISCORD_TOKEN": "a-token" };
  expect(isSet("DISCORD_TOKEN", environment)).toBe(true);
  expect(findMisspelt(environment)).toEqual([]);
});

describe("findMisspelt", () => {
  test.each([
    ["HTTPPORT", "HTTP_PORT"],
    ["LOGLEVEL", "LOG_LEVEL"],
    ["TRANSPORT_APPID", "TRANSPORT_APP_ID"],
    ["discord_token", "DISCORD_TOKEN"],
    ["DISCORD_TOKENFILE", "DISCORD_TOKEN_FILE"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["SHARD", "SHARDS"],
    ["RAIL_DATA_DEPARTURE_URL", "RAIL_DATA_DEPARTURES_URL"],
    ["RAILDATA_ARRIVALS_KEY", "RAIL_DATA_ARRIVALS_KEY"],
    ["RAIL_DATA_SERVICES_KEY_FILE", "RAIL_DATA_SERVICE_KEY_FILE"],
    ["ALLOWED_GULIDS", "ALLOWED_GUILDS"],
  ])("reads %s as a misspelling of %s, without repeating the value", (typed, meant) => {
    expect(findMisspelt({ [typed]: "a-value", LOG_LEVEL: "info" })).toEqual([
      `${typed} is not a variable of Signalbox and has no effect. Did you mean ${meant}?`,
    ]);
  });

  test.each(["BACKUP_DIR", "TFL_KEY", "VIDEO_SECRET"])(
    "reports %s, which begins like a variable",
    (typed) => {
      expect(findMisspelt({ [typed]: "a-value" })).toEqual([
        `${typed} is not a variable of Signalbox and has no effect. .env.example lists all variables.`,
      ]);
    },
  );

  test("ignores the bot's own variables, empty ones, and those of other programs", () => {
    const others = [
      "PATH",
      "HOST",
      "PORT",
      "TZ",
      "HTTP_PROXY",
      "HTTPS_PROXY",
      "NODE_ENV",
      "HOSTNAME",
      "SHELL",
    ];
    const environment = Object.fromEntries(others.map((name) => [name, "a-value"]));
    const ours = { DISCORD_TOKEN: "a-token", SECRET_KEY_FILE: "a-file", HTTPPORT: " " };
    expect(findMisspelt({ ...environment, ...ours, npm_config_loglevel: "warn" })).toEqual([]);
  });
});

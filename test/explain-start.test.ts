import { describe, expect, it } from "vitest";
import { readConfig, type Environment } from "../src/core/config.ts";
import { ConfigError, ServiceError } from "../src/core/errors.ts";
import { exitCodeOf, explainStart, listUnset } from "../src/explain-start.ts";

const read = (environment: Environment) => readConfig({ DISCORD_TOKEN: "a-token", ...environment });

describe("why a start failed", () => {
  it("is a sentence a line where a setting is wrong", () => {
    expect(explainStart(new ConfigError(["A is wrong.", "B is wrong."]))).toBe("A is wrong.\nB is wrong.");
  });

  it("names the service where one is away", () => {
    expect(explainStart(new ServiceError("discord", "unavailable", "ECONNREFUSED"))).toBe(
      "A service that the bot needs is not available (discord: unavailable: ECONNREFUSED). Try again later.",
    );
  });

  it("comes with its stack where it is a bug", () => {
    expect(explainStart(new TypeError("oh dear"))).toMatch(
      /^The bot could not start\. .*oh dear[^]*explain-start\.test/,
    );
  });
});

describe("the exit code", () => {
  it("tells a supervisor whether another start is of use", () => {
    expect(exitCodeOf(new ConfigError(["A is wrong."]))).toBe(78);
    expect(exitCodeOf(new ServiceError("discord", "unavailable", "ECONNREFUSED"))).toBe(1);
    expect(exitCodeOf(new TypeError("oh dear"))).toBe(1);
  });
});

describe("what is not set up", () => {
  it("is named with the variables that are missing", () => {
    expect(listUnset(read({}))).toEqual([
      "trains (TRANSPORT_APP_ID, TRANSPORT_APP_KEY and TRANSPORT_BUDGET)",
      "pictures (STYLE_API_BASE_URL and STYLE_API_KEY)",
      "videos (VIDEO_ACCESS_TOKEN or SECRET_KEY)",
    ]);
    expect(
      listUnset(read({ TRANSPORT_APP_ID: "an-id", TRANSPORT_APP_KEY: "a-key", TRANSPORT_BUDGET: "30/day" })),
    ).toHaveLength(2);
  });

  it("is nothing where every service has what it needs", () => {
    const all = {
      TRANSPORT_APP_ID: "an-id",
      TRANSPORT_APP_KEY: "a-key",
      TRANSPORT_BUDGET: "30/day",
      STYLE_API_BASE_URL: "https://art.example.org",
      STYLE_API_KEY: "a-key",
      VIDEO_ACCESS_TOKEN: "a-token",
      VIDEO_GUILDS: "*",
    };
    expect(listUnset(read(all))).toEqual([]);
  });
});

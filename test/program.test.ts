import { DiscordAPIError, HTTPError } from "discord.js";
import { describe, expect, it } from "vitest";
import { readConfig } from "../src/core/config.ts";
import type { Environment } from "../src/core/environment.ts";
import { ConfigError, ServiceError } from "../src/core/errors.ts";
import { explainRefusal } from "../src/discord/explain-refusal.ts";
import { exitCodeOf, explainFailure, listUnset } from "../src/program.ts";
import { explainOpening } from "../src/storage/sqlite-errors.ts";

const read = (environment: Environment) => readConfig({ DISCORD_TOKEN: "a-token", ...environment });

describe("the explanation of a failed start", () => {
  it("has one line for each wrong setting", () => {
    expect(explainFailure(new ConfigError(["A is wrong.", "B is wrong."]))).toBe("A is wrong.\nB is wrong.");
  });

  it("names the service that is unavailable", () => {
    expect(explainFailure(new ServiceError("discord", "unavailable", "ECONNREFUSED"))).toBe(
      "A service that the bot needs is not available (discord: unavailable: ECONNREFUSED). Try again later.",
    );
  });

  it("includes the system's error for each address that was tried", () => {
    const refusals = ["::1", "127.0.0.1"].map((host) => new Error(`connect ECONNREFUSED ${host}:5432`));
    const cause = new AggregateError(refusals, "");
    expect(explainFailure(new ServiceError("storage", "unavailable", "ECONNREFUSED", { cause }))).toBe(
      "A service that the bot needs is not available (storage: unavailable: ECONNREFUSED). The reason given: connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432. Try again later.",
    );
  });

  it("says what to do about a full disk", () => {
    const error = new ServiceError("storage", "unavailable", "disk full", { reason: "disk full" });
    expect(explainFailure(error)).toBe(
      "A service that the bot needs is not available (storage: unavailable: disk full). Free some space.",
    );
  });

  it("includes the stack of a bug, and its causes", () => {
    expect(explainFailure(new TypeError("oh dear"))).toMatch(
      /^This failed for an unexpected reason; please report it\. .*oh dear[^]*program\.test/,
    );
    const cause = new Error("no more rows", { cause: new RangeError("out of them") });
    expect(explainFailure(new Error("it differs", { cause }))).toMatch(
      /^This failed for an unexpected reason; please report it\. Error: it differs[^]*\nCaused by: Error: no more rows[^]*\nCaused by: RangeError: out of them/,
    );
  });
});

const refused = (status: number) =>
  explainRefusal(new DiscordAPIError({ code: 0, message: "no" }, 0, status, "GET", "https://d.test", {}));
const failed = (code: string) => Object.assign(new Error("it failed"), { code });

describe("the exit code", () => {
  it.each([
    ["a wrong setting", new ConfigError(["A is wrong."]), 78],
    ["a token that Discord refuses", refused(401), 78],
    ["an address where something other than Discord answers", refused(404), 78],
    ["an error of Discord's", explainRefusal(new HTTPError(503, "no", "GET", "https://d.test", {})), 1],
    ["a failed connection to Discord", explainRefusal(failed("ECONNREFUSED")), 1],
    ["a file that cannot be written", explainOpening("a.db", failed("EACCES")), 78],
    ["a full disk", explainOpening("a.db", failed("ENOSPC")), 1],
    ["a port or file that another bot still uses", new ConfigError(["B."], { isTransient: true }), 1],
    ["a bug", new TypeError("oh dear"), 1],
  ])("after %s tells a supervisor whether to restart the bot", (_, error, code) => {
    expect(exitCodeOf(error)).toBe(code);
  });
});

describe("the list of what is not set up", () => {
  it("names each part with its missing variables", () => {
    expect(listUnset(read({}))).toEqual([
      "trains (TRANSPORT_APP_ID, TRANSPORT_APP_KEY and TRANSPORT_BUDGET, or RAIL_DATA_DEPARTURES_URL and RAIL_DATA_DEPARTURES_KEY)",
      "pictures (STYLE_API_BASE_URL and STYLE_API_KEY)",
      "videos (VIDEO_ACCESS_TOKEN or SECRET_KEY)",
    ]);
    expect(
      listUnset(read({ TRANSPORT_APP_ID: "an-id", TRANSPORT_APP_KEY: "a-key", TRANSPORT_BUDGET: "30/day" })),
    ).toHaveLength(2);
    const railData = { RAIL_DATA_DEPARTURES_URL: "https://rail.test", RAIL_DATA_DEPARTURES_KEY: "a-key" };
    expect(listUnset(read(railData))).toContain(
      "journeys, timetables, places and buses (TRANSPORT_APP_ID, TRANSPORT_APP_KEY and TRANSPORT_BUDGET)",
    );
  });

  it("is empty if every service is set up", () => {
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

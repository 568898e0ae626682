import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { listSecrets, readConfig, readStorage } from "../../src/core/config.ts";
import { type Environment, RAIL_DATA_PRODUCTS } from "../../src/core/environment.ts";
import { ConfigError } from "../../src/core/errors.ts";
import { VARIABLES } from "../../src/core/variables.ts";

const TOKEN = "a-token-of-the-test";

function problemsOf(environment: Environment): readonly string[] {
  try {
    readConfig({ DISCORD_TOKEN: TOKEN, ...environment });
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.problems;
    }
    throw error;
  }
  return [];
}

describe("readConfig", () => {
  test("needs only a token", () => {
    expect(readConfig({ DISCORD_TOKEN: TOKEN })).toEqual({
      discord: {
        token: TOKEN,
        apiBaseUrl: new URL("https://discord.com/api"),
        cdnHosts: ["cdn.discordapp.com", "media.discordapp.net"],
        shards: "auto",
        shardCount: "auto",
      },
      access: { guilds: "*", userInstall: true },
      databaseUrl: "sqlite:data/signalbox.db",
      backups: { folder: join("data", "backups"), days: 14 },
      boardsPerGuild: 50,
      timeZone: "Europe/London",
      http: { host: "127.0.0.1" },
      secretKeys: [],
      serviceNames: {},
      logLevel: "info",
      ownerNotices: true,
    });
  });

  test("reads every variable", () => {
    const config = readConfig({
      DISCORD_TOKEN: ` ${TOKEN} `,
      DISCORD_API_BASE_URL: "http://127.0.0.1:8080/api/",
      DISCORD_CDN_HOSTS: "127.0.0.1:8080, CDN.example.org",
      ALLOWED_GUILDS: "794354201395200001,794354201399394305",
      USER_INSTALL: "off",
      SHARDS: "4, 0-2",
      SHARD_COUNT: "5",
      TRANSPORT_API_BASE_URL: "http://[::1]:8081",
      TRANSPORT_APP_ID: "an-id",
      TRANSPORT_APP_KEY: "a-key",
      TRANSPORT_DIALECT: "public",
      TRANSPORT_BUDGET: "30/day",
      TRANSPORT_SERVICE_NAME: "TransportAPI",
      STYLE_SERVICE_NAME: "our paint box",
      VIDEO_SERVICE_NAME: "Facebook",
      DATABASE_URL: "postgres://bot:a%2Fpassword@db.example.org:5432/signalbox",
      BACKUP_FOLDER: "/mnt/backups",
      BACKUP_DAYS: "30",
      BOARDS_PER_GUILD: "7",
      TIME_ZONE: "america/new_york",
      HTTP_PORT: "9090",
      HTTP_HOST: "0.0.0.0",
      LOG_LEVEL: "debug",
      OWNER_NOTICES: "off",
    });
    expect(config).toEqual({
      discord: {
        token: TOKEN,
        apiBaseUrl: new URL("http://127.0.0.1:8080/api"),
        cdnHosts: ["127.0.0.1:8080", "cdn.example.org"],
        shards: [0, 1, 2, 4],
        shardCount: 5,
      },
      access: { guilds: ["794354201395200001", "794354201399394305"], userInstall: false },
      transport: {
        baseUrl: new URL("http://[::1]:8081"),
        appId: "an-id",
        appKey: "a-key",
        dialect: "public",
        budget: { calls: 30, windowMs: 86_400_000 },
      },
      databaseUrl: "postgres://bot:a%2Fpassword@db.example.org:5432/signalbox",
      backups: { folder: "/mnt/backups", days: 30 },
      boardsPerGuild: 7,
      timeZone: "America/New_York",
      http: { port: 9090, host: "0.0.0.0" },
      secretKeys: [],
      serviceNames: { style: "our paint box", video: "Facebook", "train data": "TransportAPI" },
      logLevel: "debug",
      ownerNotices: false,
    });
    expect(listSecrets(config)).toEqual([TOKEN, "an-id", "a-key", "a%2Fpassword", "a/password"]);
  });

  test("treats an empty variable as unset", () => {
    const names = ["DISCORD_API_BASE_URL", "TRANSPORT_APP_ID", "TRANSPORT_APP_KEY", "HTTP_PORT", "SHARDS"];
    const empty = Object.fromEntries(names.map((name) => [name, " "]));
    expect(readConfig({ DISCORD_TOKEN: TOKEN, ...empty })).toEqual(readConfig({ DISCORD_TOKEN: TOKEN }));
  });

  // `docker run --env-file` does not remove them.
  test.each([`"`, `'`])("removes the quotes %s around a value", (quote) => {
    const quoted = (text: string) => ` ${quote}${text}${quote} `;
    const { discord, tfl, timeZone } = readConfig({
      DISCORD_TOKEN: quoted(TOKEN),
      TFL: quoted("on"),
      TIME_ZONE: quoted(""),
    });
    expect([discord.token, tfl?.budget.calls, timeZone]).toEqual([TOKEN, 50, "Europe/London"]);
    expect(problemsOf({ LOG_LEVEL: `${quote}info` })).toEqual([expect.stringMatching(/^LOG_LEVEL must be/)]);
    expect(problemsOf({ DISCORD_TOKEN: quoted("") })).toEqual([expect.stringMatching(/is missing/)]);
  });

  test("explains a missing token in one sentence that mentions the sandbox", () => {
    const problems = problemsOf({ DISCORD_TOKEN: "" });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^DISCORD_TOKEN is missing.*\.env.*npm run sandbox/);
  });

  test("lists every problem at once, each starting with the variable's name", () => {
    const problems = problemsOf({
      DISCORD_TOKEN: "two words",
      DISCORD_API_BASE_URL: "discord.com",
      DISCORD_CDN_HOSTS: "https://cdn.example.org",
      TRANSPORT_APP_KEY: "a-key",
      TRANSPORT_DIALECT: "spanish",
      TRANSPORT_BUDGET: "plenty",
      DATABASE_URL: "mysql://db.example.org/signalbox",
      BOARDS_PER_GUILD: "many",
      TIME_ZONE: "Mars/Olympus",
      HTTP_PORT: "70000",
      SHARDS: "0,x",
      SHARD_COUNT: "0",
      LOG_LEVEL: "loud",
    });
    expect(problems.map((problem) => problem.split(" ", 1)[0])).toEqual([
      "DISCORD_TOKEN",
      "DISCORD_API_BASE_URL",
      "DISCORD_CDN_HOSTS",
      "SHARDS",
      "SHARD_COUNT",
      "TRANSPORT_DIALECT",
      "TRANSPORT_BUDGET",
      "DATABASE_URL",
      "BOARDS_PER_GUILD",
      "TIME_ZONE",
      "HTTP_PORT",
      "LOG_LEVEL",
      "TRANSPORT_APP_ID",
    ]);
    expect(problems.every((problem) => problem.endsWith("."))).toBe(true);
  });

  test.each([
    ["https://api.example.org/v3", []],
    ["http://localhost:8080", []],
    ["http://127.9.9.9", []],
    ["http://[::1]:1", []],
    ["http://api.example.org", ["TRANSPORT_API_BASE_URL must begin with https://"]],
    ["http://localhost.example.org", ["TRANSPORT_API_BASE_URL must begin with https://"]],
    ["http://10.0.0.1", ["TRANSPORT_API_BASE_URL must begin with https://"]],
    ["http://127.0.0.1.example.org", ["TRANSPORT_API_BASE_URL must begin with https://"]],
    ["ftp://127.0.0.1", ["TRANSPORT_API_BASE_URL is not a web address"]],
    ["https://me:pass@api.example.org", ["TRANSPORT_API_BASE_URL contains a user name"]],
    ["https://api.example.org/?app_key=k", ["TRANSPORT_API_BASE_URL contains a ?"]],
  ])("checks the base URL %s", (url, expected) => {
    const problems = problemsOf({ TRANSPORT_API_BASE_URL: url });
    expect(problems).toEqual(expected.map((start) => expect.stringContaining(start)));
  });

  test.each([
    ["STYLE_API_BASE_URL", "https://art.example.org/api/v1/"],
    ["VIDEO_API_BASE_URL", "https://graph.facebook.com/v26.0"],
  ])("refuses %s with a version, because the bot adds one", (name, url) => {
    expect(problemsOf({ [name]: url })).toEqual([
      `${name} ends with a version. Leave that out: the bot adds it.`,
    ]);
    expect(problemsOf({ [name]: url.replace(/\/v\d.*/, "/v") })).toEqual([]);
  });

  test.each([
    ["1000/hour", { calls: 1_000, windowMs: 3_600_000 }],
    [" 30 / day ", { calls: 30, windowMs: 86_400_000 }],
    ["50/minute", { calls: 50, windowMs: 60_000 }],
    ["5000000/28d", { calls: 5_000_000, windowMs: 28 * 86_400_000 }],
  ])("reads the budget %j", (text, budget) => {
    const environment = { TRANSPORT_APP_ID: "an-id", TRANSPORT_APP_KEY: "a-key", TRANSPORT_BUDGET: text };
    const style = { STYLE_API_BASE_URL: "https://art.example.org", STYLE_API_KEY: "key", STYLE_BUDGET: text };
    const config = readConfig({ DISCORD_TOKEN: TOKEN, ...environment, ...style });
    expect([config.transport?.budget, config.style?.budget]).toEqual([budget, budget]);
  });

  test.each(["0/hour", "-1/hour", "1.5/hour", "1000", "1000/week", "1000/hour/day", "1e3/hour", "/hour"])(
    "refuses the budget %j",
    (text) => {
      expect(problemsOf({ TRANSPORT_BUDGET: text })).toEqual([
        expect.stringMatching(/^TRANSPORT_BUDGET must be .*1000\/hour/),
      ]);
    },
  );

  test.each(["sqlite::memory:", "sqlite:/var/lib/bot.db", "postgresql://db/name"])(
    "accepts the database %s",
    (url) => {
      expect(readConfig({ DISCORD_TOKEN: TOKEN, DATABASE_URL: url }).databaseUrl).toBe(url);
    },
  );

  test.each([
    "sqlite:",
    "data/bot.db",
    "postgres:",
    "postgres://",
    "postgres://me:100%@db/name",
    "postgres://me:a%0Ab@db/n",
  ])("refuses the database %s", (url) => {
    expect(problemsOf({ DATABASE_URL: url })).toEqual([expect.stringMatching(/^DATABASE_URL must be /)]);
  });

  test.each(["UTC", "Europe/London", "Asia/Kathmandu"])("accepts the time zone %s", (zone) => {
    expect(readConfig({ DISCORD_TOKEN: TOKEN, TIME_ZONE: zone }).timeZone).toBe(zone);
  });

  test.each(["+01:00", "London", "Europe", "BST summer", "01:00"])("refuses the time zone %s", (zone) => {
    expect(problemsOf({ TIME_ZONE: zone })).toEqual([
      expect.stringMatching(/^TIME_ZONE must be .*Europe\/London/),
    ]);
  });

  test.each(["x".repeat(41), "two\nlines", "turned\u202e"])("refuses the service name %j", (name) => {
    expect(problemsOf({ VIDEO_SERVICE_NAME: name })).toEqual([
      expect.stringMatching(/^VIDEO_SERVICE_NAME must be a name of up to 40 characters/),
    ]);
  });

  test.each(["0", "-1", "1.5", "10001"])("refuses %s as the number of boards per server", (amount) => {
    expect(problemsOf({ BOARDS_PER_GUILD: amount })).toEqual([
      expect.stringMatching(/^BOARDS_PER_GUILD must be a whole number from 1/),
    ]);
  });

  test.each([
    [{ TRANSPORT_APP_ID: "an-id" }, "TRANSPORT_APP_KEY is missing. Set it with TRANSPORT_APP_ID"],
    [
      { TRANSPORT_APP_KEY: "a-key", TRANSPORT_BUDGET: "1/day" },
      "TRANSPORT_APP_ID is missing. Set it with TRANSPORT_APP_KEY",
    ],
    [{ TRANSPORT_APP_ID: "an-id", TRANSPORT_APP_KEY: "a-key" }, "TRANSPORT_BUDGET is missing."],
    [
      { RAIL_DATA_DEPARTURES_URL: "https://rail.test" },
      "RAIL_DATA_DEPARTURES_KEY is missing. Set it with RAIL_DATA_DEPARTURES_URL",
    ],
    [
      { RAIL_DATA_DEPARTURES_KEY: "a-key" },
      "RAIL_DATA_DEPARTURES_URL is missing. Set it with RAIL_DATA_DEPARTURES_KEY",
    ],
    [
      { RAIL_DATA_ARRIVALS_URL: "https://rail.test", RAIL_DATA_ARRIVALS_KEY: "a-key" },
      "RAIL_DATA_DEPARTURES_URL is missing. Set it: the other products",
    ],
    [
      {
        RAIL_DATA_DEPARTURES_URL: "https://rail.test/dep/LDBWS/api/20220120/GetDepartureBoard/{crs}",
        RAIL_DATA_DEPARTURES_KEY: "a-key",
      },
      "RAIL_DATA_DEPARTURES_URL contains more than the product's address.",
    ],
    [{ RAIL_DATA_CREDIT: "Two\nlines" }, "RAIL_DATA_CREDIT must be up to 200 characters on one line."],
    [{ TFL_APP_KEY: "a-key" }, "TFL is missing, but TFL_APP_KEY is set."],
    [{ TFL: "yes" }, "TFL must be one of on, off."],
    [{ SHARDS: "0" }, "SHARD_COUNT is missing. Set it with SHARDS"],
    [{ SHARDS: "0-4", SHARD_COUNT: "4" }, "SHARDS contains a number that is too high"],
    [{ SHARDS: "3-1", SHARD_COUNT: "4" }, "SHARDS must be auto, or shard numbers"],
    [{ SHARDS: "0-99999", SHARD_COUNT: "4" }, "SHARDS must be auto, or shard numbers"],
  ])("refuses %j", (environment, start) => {
    expect(problemsOf(environment)).toEqual([expect.stringContaining(start)]);
  });

  test("reads a value from the file that its _FILE variable names, without the line break", () => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-config-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [token, url, empty] = ["token", "url", "empty"].map((name) => join(folder, name));
    writeFileSync(token ?? "", `${TOKEN}\n`);
    writeFileSync(url ?? "", "sqlite:elsewhere.db\n");
    writeFileSync(empty ?? "", "\n");
    const config = readConfig({ DISCORD_TOKEN_FILE: token, DATABASE_URL_FILE: url });
    expect([config.discord.token, config.databaseUrl]).toEqual([TOKEN, "sqlite:elsewhere.db"]);
    expect(readStorage({ DATABASE_URL_FILE: url }).databaseUrl).toBe("sqlite:elsewhere.db");
    expect(problemsOf({ DISCORD_TOKEN_FILE: token })).toEqual([
      "DISCORD_TOKEN and DISCORD_TOKEN_FILE are both set. Set only one of them.",
    ]);
    for (const path of [empty, join(folder, "nowhere"), folder]) {
      expect(problemsOf({ DISCORD_TOKEN: "", DISCORD_TOKEN_FILE: path })).toEqual([
        "DISCORD_TOKEN_FILE must name a readable file that contains the value of DISCORD_TOKEN.",
      ]);
    }
  });

  test("has further sources of train data only if they are set, each with its own budget", () => {
    expect(readConfig({ DISCORD_TOKEN: TOKEN })).toMatchObject({ railData: undefined, tfl: undefined });
    const railData = {
      RAIL_DATA_DEPARTURES_URL: "https://rail.test/dep/",
      RAIL_DATA_DEPARTURES_KEY: "a-rail-key",
    };
    const london = { TFL: "on", TFL_APP_KEY: "a-london-key" };
    const config = readConfig({ DISCORD_TOKEN: TOKEN, ...railData, ...london });
    expect(config.transport).toBeUndefined();
    expect(config.railData).toEqual({
      departures: { url: new URL("https://rail.test/dep"), key: "a-rail-key" },
      arrivals: undefined,
      service: undefined,
      disruptions: undefined,
      budget: { calls: 5_000_000, windowMs: 28 * 86_400_000 },
      credit: undefined,
    });
    expect(config.tfl?.budget).toEqual({ calls: 500, windowMs: 60_000 });
    expect(readConfig({ DISCORD_TOKEN: TOKEN, TFL: "on" }).tfl?.budget.calls).toBe(50);
    expect(listSecrets(config)).toEqual(expect.arrayContaining(["a-rail-key", "a-london-key"]));
    expect(readStorage({ ...railData, TFL: "on" }).budgets).toMatchObject({
      transport: undefined,
      "rail-data": { calls: 5_000_000 },
      tfl: { calls: 50 },
    });
  });

  test("lists every key and token as a secret", () => {
    // Only the check of a key or a token complains about the space.
    const names = Object.entries(VARIABLES.shape)
      .filter(([, schema]) => schema.safeParse("a b").error?.message.includes("that no key has"))
      .map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(["DISCORD_TOKEN", "VIDEO_APP_SECRET"]));
    const config = readConfig({
      ...Object.fromEntries(names.map((name) => [name, `the-${name}`])),
      ...Object.fromEntries(
        RAIL_DATA_PRODUCTS.map((name) => [`RAIL_DATA_${name.toUpperCase()}_URL`, "https://rail.test"]),
      ),
      STYLE_API_BASE_URL: "https://style.test",
      TRANSPORT_BUDGET: "30/day",
      TFL: "on",
      VIDEO_GUILDS: "*",
    });
    expect(listSecrets(config)).toEqual(expect.arrayContaining(names.map((name) => `the-${name}`)));
  });

  test("needs no service's secrets to read only the database's settings and the budgets", () => {
    const missing = { DISCORD_TOKEN_FILE: "/none", STYLE_CATALOGUE: "/none", STYLE_API_KEY: "a key" };
    const plans = {
      TRANSPORT_BUDGET: "30/day",
      STYLE_BUDGET: "9/hour",
      TFL: "on",
      TFL_APP_KEY_FILE: "/none",
    };
    expect(readStorage({ DATABASE_URL: "sqlite:a/b.db", ...missing, ...plans })).toEqual({
      databaseUrl: "sqlite:a/b.db",
      backups: { folder: join("a", "backups"), days: 14 },
      budgets: {
        transport: { calls: 30, windowMs: 86_400_000 },
        style: { calls: 9, windowMs: 3_600_000 },
        tfl: { calls: 500, windowMs: 60_000 },
        "rail-data": undefined,
      },
    });
    expect(() => readStorage({ TRANSPORT_BUDGET: "many", SHARDS: "many" })).toThrow(
      /^TRANSPORT_BUDGET must[^\n]*$/,
    );
  });

  test("lets one process run all shards of a given count", () => {
    expect(readConfig({ DISCORD_TOKEN: TOKEN, SHARD_COUNT: "3" }).discord).toMatchObject({
      shards: "auto",
      shardCount: 3,
    });
  });

  test("never repeats a value, whatever it is and whichever variable has it", () => {
    const names = ["DISCORD_TOKEN", "DISCORD_API_BASE_URL", "DISCORD_CDN_HOSTS", "SHARDS", "SHARD_COUNT"];
    names.push("TRANSPORT_API_BASE_URL", "TRANSPORT_DIALECT", "HTTP_PORT", "LOG_LEVEL", "TRANSPORT_APP_ID");
    names.push("TRANSPORT_BUDGET", "DATABASE_URL", "BOARDS_PER_GUILD", "TIME_ZONE", "SECRET_KEY");
    names.push("VIDEO_API_BASE_URL", "VIDEO_API_VERSION", "VIDEO_ACCESS_TOKEN", "VIDEO_APP_SECRET");
    names.push("VIDEO_TOKEN_IN", "VIDEO_UPLOAD", "VIDEO_GUILDS", "SECRET_KEY_OLD", "HTTP_HOST");
    names.push(
      "ALLOWED_GUILDS",
      "USER_INSTALL",
      "TFL",
      "TFL_BUDGET",
      "RAIL_DATA_ARRIVALS_URL",
      "RAIL_DATA_CREDIT",
    );
    names.push("DISCORD_TOKEN_FILE", "SECRET_KEY_FILE");
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.stringMatching(/^[ -~]*Zq7[ -~]*Zq7$/), (name, secret) => {
        expect(problemsOf({ [name]: secret }).join("\n")).not.toContain("Zq7");
      }),
    );
  });
});

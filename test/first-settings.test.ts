import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { parseEnv } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { readConfig } from "../src/core/config.ts";
import { askSettings, formatSettings, writeSettings } from "../src/first-settings.ts";

/** Answers the questions in order. Returns the settings and the printed text. */
async function answer(...answers: readonly string[]) {
  const left = [...answers];
  const said: string[] = [];
  const settings = await askSettings(
    async (question) => {
      const next = left.shift();
      if (next === undefined) {
        throw new Error(`unexpected question: ${question}`);
      }
      return next;
    },
    (text) => said.push(text),
  );
  expect(left).toEqual([]);
  return { settings, said: said.join("") };
}

it("requires only the token, and every service can be skipped", async () => {
  const { settings } = await answer(" a-token ", "", "", "", "", "", "");
  expect(Object.fromEntries(settings ?? [])).toEqual({ DISCORD_TOKEN: "a-token" });
});

it("returns no settings if no token is given", async () => {
  expect((await answer("")).settings).toBeUndefined();
});

it("asks again until a service's settings are valid, and writes them in a form that Node reads back unchanged", async () => {
  const trains = ["an-id", "", "a key", "a#key", "plenty", "30/day", ""];
  const rail = ["https://rail.example.org/dep", "a-rail-key", "y"];
  const pictures = ["art.example.org", "https://art.example.org", "a-style-key"];
  const { settings, said } = await answer(
    "a-token",
    ...trains,
    ...rail,
    ...pictures,
    "a-page-token",
    "*",
    "yes",
  );
  for (const problem of [
    "TRANSPORT_APP_KEY is needed here.",
    "TRANSPORT_APP_KEY contains a space",
    "TRANSPORT_BUDGET must be",
    "STYLE_API_BASE_URL is not a web address.",
  ]) {
    expect(said).toContain(problem);
  }
  const read = parseEnv(formatSettings(settings ?? new Map()));
  expect(read).toEqual({
    DISCORD_TOKEN: "a-token",
    TRANSPORT_APP_ID: "an-id",
    TRANSPORT_APP_KEY: "a#key",
    TRANSPORT_BUDGET: "30/day",
    TRANSPORT_DIALECT: "public",
    RAIL_DATA_DEPARTURES_URL: "https://rail.example.org/dep",
    RAIL_DATA_DEPARTURES_KEY: "a-rail-key",
    TFL: "on",
    STYLE_API_BASE_URL: "https://art.example.org",
    STYLE_API_KEY: "a-style-key",
    VIDEO_ACCESS_TOKEN: "a-page-token",
    VIDEO_GUILDS: "*",
    SECRET_KEY: expect.any(String),
  });
  expect(readConfig(read).secretKeys).toHaveLength(1);
});

it.each(["a'key", 'a"key', "a#key", "a#'key", "#'", 'a#"key'])("Node reads %s as it was typed", (key) => {
  const text = formatSettings(new Map([["TRANSPORT_APP_KEY", key]]));
  expect(parseEnv(text)).toEqual({ TRANSPORT_APP_KEY: key });
});

it("quotes a key in which Compose would replace a variable", () => {
  const text = formatSettings(new Map([["TRANSPORT_APP_KEY", "a$key"]]));
  expect(text).toContain("\nTRANSPORT_APP_KEY='a$key'\n");
  expect(parseEnv(text)).toEqual({ TRANSPORT_APP_KEY: "a$key" });
});

/** A terminal at which somebody types as soon as they are asked. */
function openTerminal(...typed: readonly string[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const left = [...typed];
  let shown = "";
  output.on("data", (chunk: Buffer) => {
    shown += chunk.toString();
    if (/(?:: |\] )$/.test(chunk.toString())) {
      setImmediate(() => input.write(left.shift() ?? "\u0003"));
    }
  });
  const folder = mkdtempSync(join(tmpdir(), "signalbox-settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { input, output, file: join(folder, ".env"), shown: () => shown };
}

it("writes a file that only its owner can read, and shows no secret", async () => {
  const terminal = openTerminal(
    "a-secret-token\r",
    "an-id\r",
    "a-secret-key\r",
    "1000/hour\r",
    "\r",
    "\r",
    "\r",
    "\r",
    "\r",
    "\r",
  );
  expect(await writeSettings(terminal.file, terminal)).toBe(true);
  expect(statSync(terminal.file).mode & 0o777).toBe(0o600);
  expect(parseEnv(readFileSync(terminal.file, "utf8"))).toMatchObject({
    DISCORD_TOKEN: "a-secret-token",
    TRANSPORT_APP_KEY: "a-secret-key",
  });
  expect(terminal.shown()).toContain("an-id");
  expect(terminal.shown()).not.toMatch(/a-secret/);
});

it("does not recall the token with the Up key", async () => {
  const up = "\u001b[A\r";
  const terminal = openTerminal("a-secret-token\r", up, up, up, up, up, up);
  expect(await writeSettings(terminal.file, terminal)).toBe(true);
  expect(terminal.shown()).not.toMatch(/a-secret/);
  expect(parseEnv(readFileSync(terminal.file, "utf8"))).toEqual({ DISCORD_TOKEN: "a-secret-token" });
});

it("writes nothing when it is interrupted", async () => {
  const terminal = openTerminal("a-secret-token\r");
  expect(await writeSettings(terminal.file, terminal)).toBe(false);
  expect(() => statSync(terminal.file)).toThrow("ENOENT");
});

import { describe, expect, it } from "vitest";
import { isNightInUk, parseSandboxOptions, USAGE } from "../../sandbox/options.ts";

describe("the sandbox's command line", () => {
  it("needs no options", () => {
    expect(parseSandboxOptions([])).toEqual({
      port: 8086,
      at: undefined,
      sources: ["transport", "rail-data", "tfl"],
      isWithoutBot: false,
    });
  });

  it("accepts the sources of trains", () => {
    expect(parseSandboxOptions(["--sources", "rail-data, transport"])).toMatchObject({
      sources: ["rail-data", "transport"],
    });
  });

  it("can leave the bot out", () => {
    expect(parseSandboxOptions(["--without-bot"])).toMatchObject({ isWithoutBot: true });
  });

  it("accepts a port, and a UK time in winter and in summer", () => {
    expect(parseSandboxOptions(["--port", "0", "--at", "2026-11-20T17:20"])).toMatchObject({
      port: 0,
      at: "2026-11-20T17:20:00Z",
    });
    expect(parseSandboxOptions(["--at=2026-07-20T17:20"])).toMatchObject({ at: "2026-07-20T16:20:00Z" });
  });

  it("prints its usage with --help", () => {
    expect(parseSandboxOptions(["--help"])).toBe(USAGE);
  });

  it.each([
    ["--speed", "5"],
    ["--port", "http"],
    ["--port", "70000"],
    ["--at", "tomorrow"],
    ["--sources", "bus"],
    ["extra"],
  ])("refuses %s %s with a sentence and its usage", (...args) => {
    const refusal = parseSandboxOptions(args);
    expect(refusal).toContain(args[0] === "extra" ? "extra" : args[0]);
    expect(refusal).toContain(USAGE);
  });

  it("recognises the night by UK time", () => {
    expect(isNightInUk(Date.UTC(2026, 10, 20, 2))).toBe(true);
    expect(isNightInUk(Date.UTC(2026, 10, 20, 17))).toBe(false);
    expect(isNightInUk(Date.UTC(2026, 6, 20, 4, 30))).toBe(false);
  });
});

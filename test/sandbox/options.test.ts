import { describe, expect, it } from "vitest";
import { isNightInUk, parseSandboxOptions, USAGE } from "../../sandbox/options.ts";

describe("the sandbox's command line", () => {
  it("needs nothing", () => {
    expect(parseSandboxOptions([])).toEqual({
      port: 8086,
      at: undefined,
      sources: ["transport", "rail-data", "tfl"],
      isWithoutBot: false,
    });
  });

  it("takes the sources of trains", () => {
    expect(parseSandboxOptions(["--sources", "rail-data, transport"])).toMatchObject({
      sources: ["rail-data", "transport"],
    });
  });

  it("leaves the bot to somebody else", () => {
    expect(parseSandboxOptions(["--without-bot"])).toMatchObject({ isWithoutBot: true });
  });

  it("takes a port, and UK time in winter and in summer", () => {
    expect(parseSandboxOptions(["--port", "0", "--at", "2026-11-20T17:20"])).toMatchObject({
      port: 0,
      at: "2026-11-20T17:20:00Z",
    });
    expect(parseSandboxOptions(["--at=2026-07-20T17:20"])).toMatchObject({ at: "2026-07-20T16:20:00Z" });
  });

  it("explains itself", () => {
    expect(parseSandboxOptions(["--help"])).toBe(USAGE);
  });

  it.each([
    ["--speed", "5"],
    ["--port", "http"],
    ["--port", "70000"],
    ["--at", "tomorrow"],
    ["--sources", "bus"],
    ["extra"],
  ])("refuses %s %s in a sentence, with what is possible", (...args) => {
    const refusal = parseSandboxOptions(args);
    expect(refusal).toContain(args[0] === "extra" ? "extra" : args[0]);
    expect(refusal).toContain(USAGE);
  });

  it("knows when few trains run, by UK time", () => {
    expect(isNightInUk(Date.UTC(2026, 10, 20, 2))).toBe(true);
    expect(isNightInUk(Date.UTC(2026, 10, 20, 17))).toBe(false);
    expect(isNightInUk(Date.UTC(2026, 6, 20, 4, 30))).toBe(false);
  });
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLogLine } from "../../../../../../sandbox/page/client/inspector/bot/log-lines.ts";

describe("a line of the bot", () => {
  it("is taken apart where it is of the log", () => {
    const line = JSON.stringify({
      level: "warn",
      time: "2026-11-20T17:20:00.000Z",
      service: "transport",
      msg: "the board was not posted",
    });
    expect(parseLogLine(line)).toEqual({
      level: "warn",
      time: "2026-11-20T17:20:00.000Z",
      words: "the board was not posted",
      fields: JSON.stringify({ service: "transport" }, null, 2),
    });
  });

  it("is worst as an error", () => {
    expect(parseLogLine('{"level":"fatal","msg":"over"}')).toMatchObject({ level: "error", fields: "" });
  });

  it("stays as it is where it is none", () => {
    expect(parseLogLine("TypeError: over")).toMatchObject({ level: "said", words: "TypeError: over" });
    expect(parseLogLine("[1]")).toMatchObject({ level: "said", words: "[1]" });
  });

  it("never fails", () => {
    const lines = fc.oneof(
      fc.string(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(lines, (line) => {
        expect(parseLogLine(line)).toHaveProperty("level");
      }),
    );
  });
});

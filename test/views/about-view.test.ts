import { describe, expect, it } from "vitest";
import { aboutView } from "../../src/views/about-view.ts";

describe("about", () => {
  it("tells version and health, and names every source", () => {
    const text = JSON.stringify(
      aboutView({ version: "1.2.3", upForMs: 3_720_000, latencyMs: 41.4, guildCount: 12 }),
    );
    for (const part of [
      "Signalbox 1.2.3",
      "1 h 2 min",
      "41 ms",
      "12 servers",
      "source: http://transportapi.com/",
      "davwheat/uk-railway-stations",
      "Trainline EU",
      "ODbL",
      "MIT",
    ]) {
      expect(text).toContain(part);
    }
  });

  it("does not make up a latency or a plural", () => {
    const text = JSON.stringify(
      aboutView({ version: "1.2.3", upForMs: 0, latencyMs: undefined, guildCount: 1 }),
    );
    expect(text).toContain("not measured yet");
    expect(text).toMatch(/1 server[^s]/);
  });
});

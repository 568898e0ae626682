import { describe, expect, it } from "vitest";
import type { BudgetState, PlannedService } from "../../src/plan/budget.ts";
import { aboutView } from "../../src/operations/about-view.ts";

describe("the about view", () => {
  it("shows version and health, and names every source", () => {
    const state = { limit: 1, windowMs: 60_000, used: 0, left: 1 };
    const plans = (["transport", "rail-data", "tfl"] as const).map((service) => ({ service, state }));
    const text = JSON.stringify(
      aboutView({ version: "1.2.3", upForMs: 3_720_000, latencyMs: 41.4, guildCount: 12, plans }),
    );
    for (const part of [
      "Signalbox 1.2.3",
      "1 h 2 min",
      "41 ms",
      "**Servers** 12",
      "[transportapi.com](http://transportapi.com/)",
      "Rail Delivery Group · Powered by [National Rail Enquiries](https://www.nationalrail.co.uk)",
      "Powered by TfL Open Data. Contains OS data",
      "davwheat/uk-railway-stations",
      "Trainline EU",
      "ODbL",
      "MIT",
    ]) {
      expect(text).toContain(part);
    }
  });

  it("says that the latency is not measured yet", () => {
    const text = JSON.stringify(
      aboutView({ version: "1.2.3", upForMs: 0, latencyMs: undefined, guildCount: 1, plans: [] }),
    );
    expect(text).toContain("not measured yet");
  });

  it("shows what it can while the database cannot be used", () => {
    const facts = { version: "1.2.3", upForMs: 0, latencyMs: 41, guildCount: 1 };
    expect(JSON.stringify(aboutView({ ...facts, plans: undefined }))).toMatch(
      /41 ms.*\*\*Database\*\* unavailable right now.*ODbL/,
    );
    expect(JSON.stringify(aboutView({ ...facts, plans: [] }))).not.toContain("Database");
  });

  describe("the budget", () => {
    const facts = { version: "1.2.3", upForMs: 0, latencyMs: 1, guildCount: 1, plans: [] };
    const planned = (service: PlannedService, state: BudgetState) => ({
      ...facts,
      plans: [{ service, state }],
    });
    const budget = { limit: 1_000, windowMs: 3_600_000, used: 12, left: 988 };
    const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms);

    it("is not mentioned if there is none", () => {
      expect(JSON.stringify(aboutView(facts))).not.toMatch(/requests|Left/);
    });

    it("shows the used and remaining requests, and when the next is available if few are left", () => {
      const textOf = (changed: object) =>
        JSON.stringify(aboutView(planned("transport", { ...budget, ...changed })));
      const text = textOf({ nextFreeAt: at(1_500) });
      expect(text).toContain("12 of 1,000 requests in the last hour");
      expect(text).toMatch(/\*\*Left\*\* 988(?!,)/);
      expect(text).not.toContain("<t:2:R>");
      const short = textOf({ used: 900, left: 60, nextFreeAt: at(1_500) });
      expect(short).toContain("**Left** 60. Another 40 are reserved for boards and watches.");
      expect(short).toContain("**Next request available** <t:2:R>");
    });

    it("shows the last problem", () => {
      const plan = { service: "rail-data", state: budget } as const;
      const text = JSON.stringify(
        aboutView({ ...facts, plans: [{ ...plan, lastFailure: { kind: "timeout", atMs: 5_000 } }] }),
      );
      expect(text).toContain("**Last problem** it took too long to answer, <t:5:R>");
    });

    it("shows the person's share, and until when the service has closed it", () => {
      const month = { ...budget, windowMs: 28 * 24 * 3_600_000, share: 5 };
      const pictures = JSON.stringify(aboutView(planned("style", month)));
      expect(pictures).toMatch(/Pictures\*\* 12 of 1,000 requests in the last 28 days/);
      expect(pictures).toMatch(/Left\*\* 988, of which you can use 5 now/);
      const closed = { ...budget, left: 0, nextFreeAt: at(1_500), closedUntil: at(9_000) };
      const text = JSON.stringify(aboutView(planned("transport", closed)));
      expect(text).toMatch(/The plan is used up for now.*<t:9:R>/);
      expect(text).not.toContain("<t:2:R>");
    });
  });
});

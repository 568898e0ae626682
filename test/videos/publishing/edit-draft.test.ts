import { describe, expect, it } from "vitest";
import { UserError } from "../../../src/core/errors.ts";
import { retryWithoutTime, parsePublishAt } from "../../../src/videos/publishing/draft-publication.ts";
import type { PublicationTexts } from "../../../src/videos/publishing/publish.ts";
import { publication } from "../../support/publications.ts";

const NOW = { timeZone: "Europe/London", nowMs: Date.parse("2026-11-18T17:20:00Z") };

/** Refuses the title "x", and times as ever; counts how often it is tried. */
function edit(texts: PublicationTexts) {
  let tries = 0;
  return retryWithoutTime(texts, async ({ title, description, publishAt }) => {
    tries += 1;
    if (title === "x") {
      throw new UserError(`That title is too short, said ${tries} times.`);
    }
    const publishAtMs = publishAt === undefined ? undefined : parsePublishAt(publishAt, NOW);
    return publication({ state: "draft", title, description, publishAtMs });
  });
}

describe("a draft of which several things are typed", () => {
  it("takes all of them", async () => {
    const { draft, problem } = await edit({ title: "A", description: "B", publishAt: "tomorrow 18:00" });
    expect([draft.title, draft.description, draft.publishAtMs, problem]).toEqual([
      "A",
      "B",
      Date.parse("2026-11-19T18:00:00Z"),
      undefined,
    ]);
  });

  it.each([
    ["in 5 minutes", /too soon/],
    ["when it suits", /couldn't read “when it suits” as a time/],
  ])("keeps the texts where the time cannot be, and says why: %s", async (publishAt, why) => {
    const { draft, problem } = await edit({ title: "A", description: "B", publishAt });
    expect([draft.title, draft.description, draft.publishAtMs]).toEqual(["A", "B", undefined]);
    expect(problem).toMatch(why);
  });

  it("is refused where something else cannot be, which is not tried twice", async () => {
    await expect(edit({ title: "x", publishAt: "tomorrow 18:00" })).rejects.toThrow("said 1 times");
  });
});

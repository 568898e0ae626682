import { describe, expect, it } from "vitest";
import { UserError } from "../../../src/core/errors.ts";
import { retryWithoutTime, parsePublishAt } from "../../../src/videos/publishing/draft-publication.ts";
import type { PublicationTexts } from "../../../src/videos/publishing/publish.ts";
import { publication } from "../../support/publications.ts";

const NOW = { timeZone: "Europe/London", nowMs: Date.parse("2026-11-18T17:20:00Z") };

/** Edits a draft that refuses the title "x" and invalid times; the refusal says how often it was tried. */
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

describe("an edit of a draft's texts and time", () => {
  it("applies all of them", async () => {
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
  ])("keeps the texts if the time is refused, and says why: %s", async (publishAt, why) => {
    const { draft, problem } = await edit({ title: "A", description: "B", publishAt });
    expect([draft.title, draft.description, draft.publishAtMs]).toEqual(["A", "B", undefined]);
    expect(problem).toMatch(why);
  });

  it("is refused if a text is refused, without a second attempt", async () => {
    await expect(edit({ title: "x", publishAt: "tomorrow 18:00" })).rejects.toThrow("said 1 times");
  });
});

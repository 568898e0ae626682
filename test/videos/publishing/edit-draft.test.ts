import { describe, expect, it } from "vitest";
import { UserError } from "../../../src/core/errors.ts";
import { editDraft } from "../../../src/videos/publishing/draft-publication.ts";
import type { Publish } from "../../../src/videos/publishing/publish.ts";
import { publication } from "../../support/publications.ts";

const GRACE = { userId: "8", roleIds: [] };

/** Refuses the time "yesterday" and the title "x". */
const publish: Pick<Publish, "edit"> = {
  async edit(_id, { title, description, publishAt }) {
    if (title === "x") {
      throw new UserError("That title is too short.");
    }
    if (publishAt === "yesterday") {
      throw new UserError("That has passed.");
    }
    return publication({ state: "draft", title, description });
  },
};
const edit = (texts: Parameters<Publish["edit"]>[1]) => editDraft(publish, "abcd1234", texts, GRACE);

describe("a draft that is edited in its form", () => {
  it("takes all that was typed", async () => {
    const { draft, problem } = await edit({ title: "A", description: "B", publishAt: "tomorrow" });
    expect([draft.title, draft.description, problem]).toEqual(["A", "B", undefined]);
  });

  it("keeps the texts where the time cannot be, and says why", async () => {
    const { draft, problem } = await edit({ title: "A", description: "B", publishAt: "yesterday" });
    expect([draft.title, draft.description, problem]).toEqual(["A", "B", "That has passed."]);
  });

  it("is refused where something else cannot be", async () => {
    await expect(edit({ title: "x", publishAt: "tomorrow" })).rejects.toThrow("too short");
    await expect(edit({ title: "x" })).rejects.toThrow("too short");
  });
});

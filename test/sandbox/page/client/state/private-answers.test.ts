import { describe, expect, it } from "vitest";
import { createPrivateAnswers } from "../../../../../sandbox/page/client/state/private-answers.ts";
import { chatMessage } from "../chat-message.ts";

const OPENED_AT_MS = 1000;

function idsKept(...heard: readonly string[]): readonly string[] {
  const answers = createPrivateAnswers();
  answers.begin(OPENED_AT_MS);
  for (const id of heard) {
    answers.hear(id);
  }
  const kept = answers.keepOwn([
    chatMessage({ id: "old", createdAtMs: 10 }),
    chatMessage({ id: "old and private", createdAtMs: 20, ephemeral: true }),
    // On a clock that stands still, one from before is of the same moment.
    chatMessage({ id: "just before, private", createdAtMs: OPENED_AT_MS, ephemeral: true }),
    chatMessage({ id: "new and private", createdAtMs: OPENED_AT_MS + 1, ephemeral: true }),
  ]);
  return kept.map(({ id }) => id);
}

describe("private answers", () => {
  it("are gone once the page is opened anew", () => {
    expect(idsKept()).toEqual(["old", "new and private"]);
  });

  it("stay where they came while the page was open, though the clock was turned back since", () => {
    expect(idsKept("old and private")).toEqual(["old", "old and private", "new and private"]);
  });
});

import { describe, expect, it } from "vitest";
import type { Publication } from "../../src/videos/publishing/publish.ts";
import {
  type CompletedAction,
  publicationAnswerView,
  findingView,
  publicationSentView,
} from "../../src/videos/publication-answers-view.ts";
import { againArgs } from "../../src/videos/video-args.ts";
import { publication } from "../support/publications.ts";

function wordsAfter(action: CompletedAction, more: Partial<Publication>): string {
  return JSON.stringify(publicationAnswerView(publication(more), action));
}

describe("the answer to a press", () => {
  it.each([
    ["approved", { state: "uploading" }, "is approved"],
    ["approved", { state: "published" }, "is approved"],
    ["approved", { state: "awaiting-approval" }, "is still waiting"],
    ["refused", { state: "refused" }, "You've refused"],
    ["changed", { state: "uploading" }, "Your changes to"],
    ["changed", { state: "awaiting-approval", asksApproval: true }, "is waiting for approval again"],
    ["cancelled", { state: "cancelled" }, "is cancelled. Nothing was published"],
    ["cancelled", { state: "uploading", isStopping: true }, "whether that was in time"],
    ["retried", { state: "uploading" }, "Uploading “Opening day” again"],
    ["retried", { state: "awaiting-approval" }, "is waiting for approval"],
  ] as const)("says what was done (%s, %j)", (action, more, words) => {
    expect(wordsAfter(action, more)).toContain(words);
  });

  it.each([
    ["approved", "refused", "Somebody else got there first: “Opening day” was refused."],
    ["approved", "cancelled", "Somebody else got there first: “Opening day” was cancelled."],
    ["approved", "expired", "“Opening day” can no longer be sent: its file link has expired."],
    ["refused", "uploading", "Somebody else got there first: “Opening day” is being uploaded."],
    ["refused", "published", "Somebody else got there first: “Opening day” is published."],
    ["cancelled", "refused", "There's nothing to cancel any more: “Opening day” was refused."],
    ["cancelled", "failed", "There's nothing to cancel any more: “Opening day” couldn't be published."],
    ["retried", "published", "Somebody else got there first: “Opening day” is published."],
  ] as const)("does not say %s if the publication is %s", (action, state, words) => {
    expect(wordsAfter(action, { state })).toContain(words);
  });

  it.each([
    ["uploading", "Uploading “Opening day” again"],
    ["processing", "is uploaded and being processed"],
    ["expired", "can't be sent again"],
    ["deleted", "was deleted"],
    ["cancelled", "I won't send “Opening day” again."],
  ] as const)("to “Look for it” gives the state once the outcome is known: %s", (state, words) => {
    expect(JSON.stringify(findingView(publication({ state }), {}))).toContain(words);
  });

  it("escapes the link to a video that was found", () => {
    const found = { id: "1", title: "Opening day", createdAtMs: undefined };
    const link = "https://video.example/<a>)[Free](https://evil.example/";
    const view = findingView(publication({ state: "outcome-unknown" }), { candidate: { ...found, link } });
    expect(JSON.stringify(view)).toContain(
      "[Opening day](https://video.example/%3Ca%3E%29[Free]%28https://evil.example/)",
    );
  });

  it("offers to send it again as long as a button's id can contain all videos that were shown", () => {
    const lost = publication({ state: "outcome-unknown" });
    let seen: readonly string[] = [];
    for (const last of ["5", "4", "3", "2", "1"]) {
      const found = {
        id: `1020304050607080${last}`,
        title: "Opening day",
        createdAtMs: undefined,
        link: undefined,
      };
      const view = JSON.stringify(findingView(lost, { candidate: found, seen }));
      const [, written = ""] = /"action":"again","args":(\{[^}]*\})/.exec(view) ?? [];
      const read = againArgs.decode(JSON.parse(written));
      expect(read).toEqual({ id: lost.id, seen: [...seen, found.id] });
      seen = read?.seen ?? [];
    }
    const sixth = { id: "10203040506070800", title: "Opening day", createdAtMs: undefined, link: undefined };
    const view = JSON.stringify(findingView(lost, { candidate: sixth, seen }));
    expect(view).toContain("If it's a different video too, check the account's own page.");
    expect(view.match(/"label":"[^"]+"/g)).toEqual(['"label":"This is it"', '"label":"Leave it"']);
  });

  it("still parses the arguments of earlier buttons", () => {
    expect(againArgs.decode({ p: "abcd1234", v: "1020" })).toMatchObject({ seen: ["1020"] });
    expect(againArgs.decode({ p: "abcd1234", v: "1020_1010" })).toMatchObject({ seen: ["1020", "1010"] });
  });

  it("to a second press on Publish names no place if there is no message to follow", () => {
    const discarded = publication({ state: "cancelled", messageId: undefined });
    const view = publicationSentView(discarded, { guildId: "1", channelId: "2" });
    expect(JSON.stringify(view)).toContain('“Opening day” was cancelled."');
  });

  it.each([
    ["uploading", "Uploading “Opening day”"],
    ["awaiting-approval", "is waiting for approval"],
    ["published", "is published"],
    ["cancelled", "was cancelled"],
    ["failed", "couldn't be published"],
    ["outcome-unknown", "may or may not be published"],
  ] as const)("to a second press on Publish gives the state: %s", (state, words) => {
    expect(
      JSON.stringify(publicationSentView(publication({ state }), { guildId: "1", channelId: "9" })),
    ).toContain(words);
  });
});

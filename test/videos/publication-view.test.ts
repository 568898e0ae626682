import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatComponentId } from "../../src/core/component-id.ts";
import type { Button, Reply } from "../../src/core/reply.ts";
import { formatReply } from "../../src/discord/reply.ts";
import type { PublicationProblem } from "../../src/videos/publishing/problems.ts";
import type { Publication } from "../../src/videos/publishing/publish.ts";
import { hasPublicationMark } from "../../src/videos/video-args.ts";
import { publicationDetailsView } from "../../src/videos/publication-answers-view.ts";
import { PUBLICATION_STATES } from "../../src/videos/publications-table.ts";
import { publicationView } from "../../src/videos/publication-view.ts";
import { PUBLICATION_AT_MS, publication } from "../support/publications.ts";

function blocksOf({ blocks }: Reply) {
  return blocks.flatMap((block) => (block.type === "container" ? block.blocks : [block]));
}

function textOf(reply: Reply): string {
  return blocksOf(reply)
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n");
}

function buttonsOf(reply: Reply): readonly Button[] {
  return blocksOf(reply).flatMap((block) => (block.type === "buttons" ? block.buttons : []));
}

const show = (more: Partial<Publication>, forApprovers = false): Reply =>
  publicationView(publication(more), { forApprovers });
const labelsOf = (more: Partial<Publication>, forApprovers = false) =>
  buttonsOf(show(more, forApprovers)).map(({ label }) => label);

const failure = (more: Partial<PublicationProblem>): PublicationProblem => ({
  of: "video",
  kind: "unavailable",
  ...more,
});

describe("a publication's message", () => {
  it.each(PUBLICATION_STATES)(
    "has its own mark when it is %s, as does the message for approvers",
    (state) => {
      for (const forApprovers of [false, true]) {
        const ids = buttonsOf(
          show({ state, videoId: "10203040506070809", link: "https://x.example/v" }, forApprovers),
        ).flatMap((button) => (button.type === "button" ? [formatComponentId(button.target)] : []));
        expect(hasPublicationMark(ids, { id: "abcd1234", forApprovers })).toBe(true);
        expect(hasPublicationMark(ids, { id: "abcd1234", forApprovers: !forApprovers })).toBe(false);
      }
    },
  );

  it("can be sent in every state, with any text from people and services", () => {
    const text = fc.option(fc.string({ unit: "grapheme", maxLength: 6_000 }), { nil: undefined });
    const anyPublication = fc.record({
      state: fc.constantFrom(...PUBLICATION_STATES),
      title: text,
      description: text,
      refusedReason: text,
      doneBytes: fc.nat(),
      percent: fc.option(fc.double({ noNaN: true }), { nil: undefined }),
      isStopping: fc.boolean(),
      videoId: fc.option(fc.stringMatching(/^\d{1,20}$/), { nil: undefined }),
      problem: fc.option(
        fc.record({ words: text, requestId: text }).map((said) => failure(said)),
        { nil: undefined },
      ),
      publishAtMs: fc.option(fc.integer({ min: 0, max: 4e12 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(anyPublication, fc.boolean(), (more, forApprovers) => {
        const sent = formatReply(show(more, forApprovers), 10_000_000);
        expect(sent.refused).toEqual([]);
        expect(JSON.stringify(sent.body)).not.toMatch(/@everyone/);
      }),
    );
  });

  it("does not claim more than is known about a video that can no longer be seen", () => {
    const out = (kind: PublicationProblem["kind"], state: Publication["state"] = "published") =>
      show({ state, videoId: "5", problem: { of: "video", kind } });
    expect(textOf(out("not-found"))).toContain("It's gone, or I can't see it any more");
    expect(textOf(out("unpublished"))).toContain("Nobody can see it any more");
    expect(textOf(out("not-found", "deleted"))).toContain("already gone, or I could no longer see it");
    expect(textOf(show({ state: "deleted" }))).toContain("Deleted from the video service");
    const problem = { of: "video", kind: "not-found" } as const;
    expect(labelsOf({ state: "published", videoId: "5", problem })).toEqual(["Details"]);
    expect(labelsOf({ state: "published", videoId: "5" })).toEqual(["Manage"]);
  });

  it("offers to edit a refused publication while its file is available", () => {
    expect(labelsOf({ state: "refused" })).toEqual(["Edit and send again", "Details"]);
    expect(labelsOf({ state: "refused", fileUrl: undefined })).toEqual(["Details"]);
    expect(textOf(show({ state: "refused", fileUrl: undefined }))).toContain(
      "attach the video with `/video publish`",
    );
  });

  it("says that it was cancelled because the bot was removed from the server", () => {
    expect(textOf(show({ state: "cancelled", stopReason: "left" }))).toContain(
      "I was removed from its server",
    );
    expect(textOf(show({ state: "cancelled" }))).not.toContain("removed");
  });

  it("does not say that nothing was published if somebody gave up looking for it", () => {
    const left = { state: "cancelled", problem: failure({ kind: "outcome-unknown" }) } as const;
    for (const forApprovers of [false, true]) {
      expect(textOf(show(left, forApprovers))).toContain("Nobody knows whether it was published");
      expect(textOf(show(left, forApprovers))).not.toContain("Nothing was published");
    }
  });

  it("offers to publish again what was cancelled before the server came back", () => {
    const returned = { state: "cancelled", stopReason: "returned", mayRetry: true } as const;
    expect(labelsOf(returned)).toEqual(["Publish again", "Edit", "Details"]);
    const publishAtMs = PUBLICATION_AT_MS + 86_400_000;
    expect(textOf(show({ ...returned, publishAtMs }))).toContain("It was due to go out Thu 19 Nov, 17:20");
    expect(labelsOf({ ...returned, mayRetry: false })).toEqual(["Details"]);
    expect(textOf(show({ ...returned, mayRetry: false }))).toContain("attach the video again");
  });

  it("shows how far an upload is", () => {
    const pendingWrite = "simple" as const;
    const text = textOf(show({ pendingWrite, doneBytes: 12.5 * 1024 * 1024 }));
    expect(text).toContain("▰▰▰▱▱▱▱▱▱▱▱▱ 25%");
    expect(text).toContain("12.5 MB of 50 MB");
    expect(textOf(show({ pendingWrite }))).toContain("Uploading");
  });

  it("says if an upload waits for others", () => {
    expect(textOf(show({}))).toContain("Waiting to upload");
    expect(textOf(show({}))).not.toContain("Uploading");
  });

  it("says from the beginning when it will be published", () => {
    const timed = { publishAtMs: PUBLICATION_AT_MS + 86_400_000 };
    for (const state of ["awaiting-approval", "uploading", "processing", "scheduled"] as const) {
      expect(textOf(show({ ...timed, state }))).toMatch(/goes out Thu,? 19 Nov/i);
    }
    expect(textOf(show({ state: "awaiting-approval" }))).toContain("Goes out as soon as it's approved.");
    expect(textOf(show({ state: "processing" }))).not.toMatch(/goes out/i);
  });

  it("has the state in its details, and the time only if it will be published", () => {
    const details = (more: Partial<Publication>) => textOf(publicationDetailsView(publication(more), []));
    expect(details({ state: "refused" })).toContain("**Now** it was refused");
    expect(details({ state: "refused" })).not.toContain("Goes out");
    expect(details({ state: "awaiting-approval" })).toContain("**Goes out** as soon as it's approved");
    expect(details({ state: "uploading" })).toContain("**Goes out** at once");
  });

  it("offers to cancel an upload once, then says that the bot is trying", () => {
    expect(labelsOf({})).toEqual(["Cancel", "Details"]);
    expect(labelsOf({ isStopping: true })).toEqual(["Details"]);
    expect(textOf(show({ isStopping: true }))).toContain("It may already be published");
    for (const state of ["processing", "scheduled", "published"] as const) {
      expect(textOf(show({ state, isStopping: true }))).toContain("too late to cancel");
      expect(textOf(show({ state }))).not.toContain("too late");
    }
    const there = { videoId: "10203040506070809", isStopping: true } as const;
    expect(labelsOf({ state: "published", ...there })).toEqual(["Manage"]);
    expect(textOf(show({ state: "published", ...there }))).toContain(
      "press **Manage** or use `/video delete`",
    );
  });

  it("says what delays it, and when the bot tries again", () => {
    const text = textOf(show({ problem: failure({}), nextTryAtMs: PUBLICATION_AT_MS + 60_000 }));
    expect(text).toContain("can't reach");
    expect(text).toMatch(/I'll try again at <t:\d+:T>/);
    const looking = textOf(show({ problem: failure({ kind: "outcome-unknown" }) }));
    expect(looking).toContain("I'm looking for it");
    expect(looking).not.toContain("before you try again");
  });

  it("says that it continues once a person has fixed the account", () => {
    for (const problem of [
      failure({ of: "account", kind: "no-account" }),
      failure({ kind: "unauthorised", trouble: "token-dead" }),
    ]) {
      const textFor = (key: Publication["account"]["key"]) => {
        const account = { key, name: undefined, isLinked: false };
        return textOf(show({ state: "processing", problem, nextTryAtMs: PUBLICATION_AT_MS, account }));
      };
      expect(textFor("page:1")).toMatch(
        /link it again with `\/video account link`\. Once it's linked again, I'll carry on by myself\./s,
      );
      expect(textFor("page:1")).not.toContain("next at");
      expect(textFor("operator")).toContain(
        "the bot's own account: please tell the person who runs this bot",
      );
      expect(textFor("operator")).not.toContain("/video account link");
    }
  });

  it("does not ask people to try again while the bot retries", () => {
    for (const kind of [
      "unavailable",
      "timeout",
      "rate-limited",
      "not-found",
      "unexpected-answer",
    ] as const) {
      for (const service of ["video", "discord", "storage"] as const) {
        const text = textOf(
          show({ problem: failure({ of: service, kind }), nextTryAtMs: PUBLICATION_AT_MS }),
        );
        expect(text).toContain("I'll try again at");
        expect(text).not.toMatch(/[Pp]lease|(?<!I'll )try again/);
      }
    }
  });

  it("says that approval cannot be requested, and how to fix that", () => {
    const problem = failure({ of: "discord", kind: "not-permitted" });
    const text = textOf(show({ state: "awaiting-approval", problem }));
    expect(text).toContain("`/video settings`; then press **Edit** and save");
  });

  it("says that it is held back if its time is too near for the service's schedule", () => {
    const publishAtMs = PUBLICATION_AT_MS + 5 * 60_000;
    expect(textOf(show({ publishAtMs, nextTryAtMs: publishAtMs }))).toContain(
      "too soon for the video service to schedule",
    );
    expect(textOf(show({ publishAtMs }))).toContain("Waiting to upload");
  });

  it("asks the owner of the account to replace an expired token", () => {
    const problem = failure({ kind: "unauthorised", trouble: "token-dead" });
    const textFor = (key: Publication["account"]["key"]) =>
      textOf(show({ state: "failed", problem, account: { key, name: "Hall", isLinked: true } }));
    expect(textFor("operator")).toContain("tell the person who runs this bot");
    expect(textFor("operator")).not.toContain("/video account link");
    expect(textFor("page:1")).toContain("link it again with `/video account link`");
    expect(textFor("page:1")).not.toContain("the person who runs this bot");
  });

  it("does not call a publication failed for certain if the service may still publish it", () => {
    const state = "failed";
    const there = { state, videoId: "9" } as const;
    for (const kind of ["timeout", "unavailable", "unauthorised"] as const) {
      expect(textOf(show({ ...there, problem: failure({ kind }) }))).toContain("It may still appear");
    }
    expect(textOf(show({ ...there, problem: failure({ kind: "rejected" }) }))).toContain(
      "couldn't process this video",
    );
    expect(textOf(show({ state, problem: failure({ kind: "timeout" }) }))).not.toContain("still appear");
  });

  it("offers to try again only if certainly nothing was published", () => {
    expect(labelsOf({ state: "failed", mayRetry: true, problem: failure({}) })).toEqual([
      "Try again",
      "Edit",
      "Details",
    ]);
    expect(textOf(show({ state: "failed", mayRetry: true, problem: failure({}) }))).toContain(
      "Nothing was published",
    );
    expect(labelsOf({ state: "failed", problem: failure({}) })).toEqual(["Details"]);
    expect(textOf(show({ state: "failed", problem: failure({}) }))).not.toContain("Nothing was published");
  });

  it("asks a person to look if the outcome is unknown", () => {
    const state = "outcome-unknown";
    expect(textOf(show({ state }))).toContain("I won't send it again by myself");
    expect(labelsOf({ state })).toEqual(["Look for it", "Details"]);
  });

  it("finally shows the video's picture, texts and link, and one button to manage it", () => {
    const published = { state: "published", videoId: "9", link: "https://video.example/9" } as const;
    expect(labelsOf(published)).toEqual(["Watch", "Manage"]);
    expect(labelsOf({ ...published, state: "scheduled", publishAtMs: PUBLICATION_AT_MS })).toEqual([
      "Watch",
      "Manage",
    ]);
    const picture = { bytes: new Uint8Array(10), type: "jpg" } as const;
    const reply = publicationView(publication({ ...published, description: "Steam" }), {
      forApprovers: false,
      picture,
    });
    expect(blocksOf(reply)[0]).toMatchObject({
      type: "section",
      texts: [expect.stringContaining("### Opening day\n> Steam\n✅ Published")],
      accessory: { type: "thumbnail", file: "video.jpg" },
    });
    expect(formatReply(reply, 10_000_000).files).toHaveLength(1);
  });

  it("shows times in the server's time zone", () => {
    const state = "scheduled";
    const at = { state, publishAtMs: Date.parse("2026-11-27T18:00:00Z") } as const;
    expect(textOf(show(at))).toContain("Fri 27 Nov, 18:00 (London time), <t:1795802400:R>");
    expect(textOf(show({ ...at, timeZone: "America/New_York" }))).toContain("13:00 (New York time)");
  });

  it("escapes its texts", () => {
    const text = textOf(show({ state: "awaiting-approval", title: "# [x](http://evil) @everyone" }));
    expect(text).toContain("\\# \\[x\\]\\(http\\://evil\\) \\@everyone");
  });
});

describe("the message for approvers", () => {
  it("has a new mark each time approval is requested again", () => {
    const idsOf = (approvalAskedAtMs: number | undefined) =>
      buttonsOf(show({ state: "awaiting-approval", approvalAskedAtMs }, true)).flatMap((button) =>
        button.type === "button" ? [formatComponentId(button.target)] : [],
      );
    const mark = { id: "abcd1234", forApprovers: true };
    expect(hasPublicationMark(idsOf(undefined), mark)).toBe(true);
    expect(hasPublicationMark(idsOf(PUBLICATION_AT_MS), mark)).toBe(false);
    const again = { ...mark, approvalAskedAtMs: PUBLICATION_AT_MS };
    expect(hasPublicationMark(idsOf(PUBLICATION_AT_MS), again)).toBe(true);
    expect(hasPublicationMark(idsOf(undefined), again)).toBe(false);
  });

  it("shows everything that they need, and the file", () => {
    const waiting = { state: "awaiting-approval", description: "Line one\nLine *two*" } as const;
    const text = textOf(show(waiting, true));
    for (const part of [
      "Opening day",
      "> Line one\n> Line \\*two\\*",
      "Signal Hall",
      "opening.mp4 · 50 MB",
      "<@7>",
    ]) {
      expect(text).toContain(part);
    }
    expect(labelsOf(waiting, true)).toEqual(["Approve", "Refuse", "Watch it", "Details"]);
    const player = (fileType: string) =>
      blocksOf(show({ ...waiting, fileType }, true)).filter((block) => block.type === "gallery");
    expect(player("video/mp4")).toMatchObject([{ items: [{ url: publication().fileUrl }] }]);
    expect(player("video/x-matroska")).toEqual([]);
  });

  it("shows the beginning of a long description, and says where to find all of it", () => {
    const state = "awaiting-approval";
    const long = `${"*A* line\n".repeat(400)}the end`;
    const text = textOf(show({ state, description: long }, true));
    expect(text).toContain("**Details** has all of it");
    expect(text).toContain("by <@7>");
    expect(text.length).toBeLessThan(4_000);
    const { files = [], ...reply } = publicationDetailsView(publication({ description: long }), []);
    expect(files.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([long]);
    expect(formatReply({ ...reply, files }, 10_000_000).refused).toEqual([]);
    const whole = `${"x".repeat(2_000)} the end`;
    expect(textOf(show({ state, description: whole }, true))).toContain("the end");
    expect(textOf(show({ state, description: whole }, true))).not.toContain("has all of it");
  });

  it("removes direction marks from its texts", () => {
    const text = textOf(
      show({ state: "awaiting-approval", title: "a\u202egnp", description: "b\u2067c" }, true),
    );
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it("names the account, and says if it can no longer be used", () => {
    const asked = (account: Publication["account"]) =>
      textOf(show({ state: "awaiting-approval", account }, true));
    const page = { key: "page:9", name: "Garden Railway", isLinked: true } as const;
    expect(asked(page)).toContain("**Account** Garden Railway");
    expect(asked({ ...page, name: undefined })).toContain("**Account** the one linked here");
    expect(asked({ ...page, isLinked: false })).toContain("**Account** one that's no longer linked");
    expect(asked({ key: "operator", name: undefined, isLinked: true })).toContain("the bot's own");
  });

  it("has the time of the version in the Approve button, so that people approve what they have seen", () => {
    const [approve] = buttonsOf(show({ state: "awaiting-approval" }, true));
    expect(approve?.type === "button" && approve.target.args).toEqual({
      p: "abcd1234",
      a: "1",
      t: PUBLICATION_AT_MS.toString(36),
    });
  });

  it("says afterwards what was decided, and has no more buttons for that", () => {
    expect(textOf(show({ decidedBy: "8" }, true))).toContain("Approved by <@8>");
    expect(textOf(show({ state: "refused", decidedBy: "8", refusedReason: "Too loud" }, true))).toContain(
      "Refused by <@8>: Too loud",
    );
    expect(labelsOf({ decidedBy: "8" }, true)).toEqual(["Details"]);
  });
});

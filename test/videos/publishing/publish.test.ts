import { describe, expect, it } from "vitest";
import { ServiceError, UserError } from "../../../src/core/errors.ts";
import { MessengerError } from "../../../src/core/ports.ts";
import type { UsableAccount } from "../../../src/videos/accounts/video-accounts.ts";
import {
  ADA,
  CHANNEL,
  GRACE,
  GUILD,
  type PublishWorldOptions,
  START_MS,
  STRANGER,
  openPublishWorld,
} from "../../support/publish-world.ts";
import { hashTexts } from "../../../src/videos/video-words.ts";
import { until } from "../../support/until.ts";
import { sampleVideo } from "../../support/publish-video.ts";

const HOUR_MS = 3_600_000;
/** The channel in which approval is requested. */
const APPROVERS = "1002";

/** Opens a world in which a server's publications need approval, in a separate channel. */
async function openWorldWithApproval(options: PublishWorldOptions = { upload: "simple" }) {
  const world = await openPublishWorld(options);
  const life = world.begin();
  await life.rules.change(GUILD, { approvalChannelId: APPROVERS }, ADA);
  return { world, ...life, life };
}

const NO_ACCOUNT =
  "This server has no video account. Somebody who manages it can link one with `/video account link`.";

describe("a draft", () => {
  it("stores the texts and the time in the server's time zone, and sends nothing", async () => {
    const world = await openPublishWorld();
    const { publish } = world.begin();
    const draft = await publish.draft(
      world.order({ title: "  Opening\n day ", description: " ", publishAt: "tomorrow 18:00" }),
    );
    expect(draft).toMatchObject({
      state: "draft",
      title: "Opening day",
      description: undefined,
      publishAtMs: Date.parse("2026-11-19T18:00:00Z"),
      timeZone: "Europe/London",
      account: { key: "operator", name: "Signal Hall" },
      submittedBy: ADA.userId,
      asksApproval: false,
      fileName: "day.mp4",
      sizeBytes: 50_000,
      linkEndsAtMs: START_MS + 24 * HOUR_MS,
    });
    expect(await publish.find(draft.id)).toEqual(draft);
    expect(await publish.titles(GUILD, [draft.id, "gone1234"])).toEqual(new Map([[draft.id, "Opening day"]]));
    expect(await publish.titles("g2", [draft.id])).toEqual(new Map());
    expect(world.standIn.ledger).toEqual([]);
  });

  it.each([
    [
      "a picture",
      { bytes: Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(5_000)]) },
      "isn't a video",
    ],
    ["a text", { bytes: Buffer.alloc(5_000, "hello ") }, "isn't a video"],
    ["a tiny file", { bytes: sampleVideo(500) }, "smaller than 1 KB"],
    ["an empty file", { bytes: Buffer.alloc(0) }, "smaller than 1 KB"],
    ["a long title", { title: "x".repeat(10_000) }, "10,000 characters; up to 255"],
    ["a long description", { description: "x".repeat(5_001) }, "up to 5,000"],
    ["a schedule in the past", { publishAt: "2026-11-18 12:00" }, "has passed"],
    ["a schedule too soon", { publishAt: "in 5 minutes" }, "at least 10 minutes"],
    ["a schedule too far ahead", { publishAt: "in 6 weeks" }, "up to 30 days"],
  ] as const)("refuses %s in a sentence of its own", async (_what, more, sentence) => {
    const world = await openPublishWorld();
    await expect(world.begin().publish.draft(world.order(more))).rejects.toThrow(sentence);
  });

  it("removes direction marks, so that approvers read what will be published", async () => {
    const world = await openPublishWorld();
    const { publish } = world.begin();
    const texts = { title: "Free\u202e \u2067day", description: "\u2066More\u2069\u202c\nsteam" };
    const draft = await publish.draft(world.order(texts));
    expect(draft).toMatchObject({ title: "Free day", description: "More\nsteam" });
    expect(await publish.edit(draft.id, texts, ADA)).toMatchObject({ stateAtMs: draft.stateAtMs });
  });

  it("is refused in a channel in which the bot may not write, but not in a conversation", async () => {
    const world = await openPublishWorld();
    const { publish } = world.begin();
    world.discord.gone.add(CHANNEL);
    await expect(publish.draft(world.order())).rejects.toThrow(`<#${CHANNEL}>`);
    expect(await publish.draft(world.order({ isConversation: true }))).toMatchObject({ state: "draft" });
  });

  it("refuses a file that is too large before downloading it", async () => {
    const world = await openPublishWorld();
    const order = world.order();
    const file = { ...order.file, sizeBytes: 3 * 1024 ** 3 };
    await expect(world.begin().publish.draft({ ...order, file })).rejects.toThrow("3.0 GB");
    expect(world.files.asked).toEqual([]);
  });

  it("refuses an expired link, and one from elsewhere", async () => {
    const world = await openPublishWorld();
    const { publish } = world.begin();
    const order = world.order();
    world.files.status = 404;
    await expect(publish.draft(order)).rejects.toThrow("expired. Please attach it again");
    const file = { ...order.file, url: "https://elsewhere.example/day.mp4" };
    await expect(publish.draft({ ...order, file })).rejects.toThrow(UserError);
  });

  it("says how to link an account if there is none", async () => {
    const world = await openPublishWorld();
    world.accounts.current = undefined;
    await expect(world.begin().publish.draft(world.order())).rejects.toThrow("/video account link");
  });

  it("is not changed by a form that shows outdated texts", async () => {
    const world = await openPublishWorld();
    const { publish } = world.begin();
    const { id } = await publish.draft(world.order());
    const opened = await world.row(id);
    const seen = hashTexts(opened, opened.publishAtMs);
    await publish.edit(id, { publishAt: "tomorrow 18:00" }, GRACE, seen);
    await expect(publish.edit(id, { title: "Second day" }, ADA, seen)).rejects.toThrow(
      "This has changed since the version your form shows",
    );
    expect(await world.row(id)).toMatchObject({ title: opened.title, publishAtMs: expect.any(Number) });
  });

  it("can be edited, and cancelled without a message", async () => {
    const world = await openPublishWorld();
    const { publish } = world.begin();
    const { id } = await publish.draft(world.order({ publishAt: "tomorrow 18:00" }));
    expect(await publish.edit(id, { title: "Closing day" }, ADA)).toMatchObject({
      title: "Closing day",
      description: "The first train.",
      publishAtMs: Date.parse("2026-11-19T18:00:00Z"),
    });
    expect(await publish.edit(id, { description: "", publishAt: "" }, ADA)).toMatchObject({
      title: "Closing day",
      description: undefined,
      publishAtMs: undefined,
    });
    expect(await publish.cancel(id, ADA)).toMatchObject({ state: "cancelled" });
    await world.settle(id);
    expect(world.told()).toEqual([]);
    expect(await publish.submit(id, ADA)).toMatchObject({ state: "cancelled" });
  });

  it("that does not exist cannot be submitted", async () => {
    const world = await openPublishWorld();
    const { publish } = world.begin();
    await expect(publish.submit("nothing1", ADA)).rejects.toThrow("no longer here");
    expect(await publish.find("nothing1")).toBeUndefined();
  });
});

describe("approval", () => {
  it("is requested in its channel, and given by somebody else", async () => {
    const { world, publish } = await openWorldWithApproval();
    const { id } = await publish.draft(world.order());
    expect(await publish.submit(id, ADA)).toMatchObject({ state: "awaiting-approval", asksApproval: true });
    await world.advanceUntil(() => world.told(APPROVERS).length === 1 && world.told().length === 1);
    expect(world.told(APPROVERS)).toEqual(["approve?, awaiting-approval, Opening day"]);
    expect(world.standIn.ledger).toEqual([]);
    await expect(publish.approve(id, ADA)).rejects.toThrow(UserError);
    const { stateAtMs } = await world.row(id);
    expect(await publish.approve(id, GRACE, stateAtMs)).toMatchObject({
      state: "uploading",
      decidedBy: GRACE.userId,
    });
    // A second approval changes nothing.
    await publish.approve(id, GRACE, stateAtMs);
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    expect(world.videos()).toHaveLength(1);
    expect(world.told(APPROVERS)).toEqual([expect.stringContaining("approve?, published")]);
    expect(await world.acts()).toEqual(["settings-changed", "submitted", "denied", "approved", "published"]);
  });

  it("can be refused with a reason", async () => {
    const { world, publish } = await openWorldWithApproval();
    const { id } = await publish.draft(world.order());
    await publish.submit(id, ADA);
    await expect(publish.refuse(id, "", ADA)).rejects.toThrow(UserError);
    expect(await publish.refuse(id, " Too loud. ", GRACE)).toMatchObject({
      state: "refused",
      refusedReason: "Too loud.",
      decidedBy: GRACE.userId,
    });
    await publish.refuse(id, "Again.", GRACE);
    await publish.approve(id, GRACE);
    expect(await world.row(id)).toMatchObject({ state: "refused", refusedReason: "Too loud." });
    expect(world.videos()).toHaveLength(0);
    await world.advanceUntil(async () => (await world.row(id)).fileUrl === undefined, 25 * HOUR_MS);
    await expect(publish.edit(id, { title: "Quiet day" }, ADA)).rejects.toThrow("attach the video again");
  });

  it("can be requested again by the author after a refusal, with or without changes", async () => {
    const { world, publish } = await openWorldWithApproval();
    const { id } = await publish.draft(world.order());
    await publish.submit(id, ADA);
    await publish.refuse(id, `x${"🚂".repeat(400)}`, GRACE);
    expect((await world.row(id)).refusedReason).toMatch(/^x(?:🚂){249}…$/u);
    await world.advanceUntil(() => world.told()[0]?.includes("refused") === true);
    await expect(publish.edit(id, { title: "Mine" }, GRACE)).rejects.toThrow("Only the person who attached");
    const again = { state: "awaiting-approval", decidedBy: undefined, refusedReason: undefined };
    expect(await publish.edit(id, { title: "Quiet day" }, ADA)).toMatchObject({
      ...again,
      title: "Quiet day",
    });
    await publish.refuse(id, "Still.", GRACE);
    expect(await publish.edit(id, { title: "Quiet day" }, ADA)).toMatchObject(again);
    await expect(publish.approve(id, ADA)).rejects.toThrow(UserError);
    await publish.approve(id, GRACE);
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    expect(world.videos()).toMatchObject([{ title: "Quiet day" }]);
    expect((await world.acts()).join()).toBe(
      "settings-changed,submitted,refused,edited,submitted,refused,submitted,denied,approved,published",
    );
  });

  it("cannot be requested again for a time that has passed", async () => {
    const { world, publish } = await openWorldWithApproval();
    const { id } = await publish.draft(world.order({ publishAt: "in 2 hours" }));
    await publish.submit(id, ADA);
    await publish.refuse(id, "", GRACE);
    await world.clock.advance(3 * HOUR_MS);
    await expect(publish.edit(id, { title: "Late" }, ADA)).rejects.toThrow("has passed");
    expect(await publish.edit(id, { publishAt: "" }, ADA)).toMatchObject({ state: "awaiting-approval" });
  });

  it("cannot be given to a version that has changed since it was shown", async () => {
    const { world, publish } = await openWorldWithApproval();
    const { id } = await publish.draft(world.order());
    const { stateAtMs } = await publish.submit(id, ADA);
    await world.clock.advance(1_000);
    await publish.edit(id, { title: "Something else" }, ADA);
    await expect(publish.approve(id, GRACE, stateAtMs)).rejects.toThrow("changed since you looked");
    await world.advanceUntil(() => world.told(APPROVERS)[0]?.includes("Something else") === true);
    expect(world.told(APPROVERS)).toHaveLength(1);
  });

  it("is void once the publication is changed, and the bytes that were sent stay unpublished", async () => {
    const { world, publish } = await openWorldWithApproval({ upload: "chunked", windowBytes: () => 10_000 });
    const { id } = await publish.draft(world.order());
    await publish.submit(id, ADA);
    await until(() => world.told(APPROVERS).length === 1);
    world.files.holdAfterBytes = 25_000;
    await publish.approve(id, GRACE);
    await until(() => world.standIn.sessions()[0]?.receivedBytes === 20_000);
    expect(await publish.edit(id, { title: "Something else" }, ADA)).toMatchObject({
      state: "awaiting-approval",
      decidedBy: undefined,
    });
    world.files.letGo();
    world.files.holdAfterBytes = undefined;
    await world.advanceUntil(() => world.told(APPROVERS)[1]?.includes("Something else") === true);
    await world.advanceUntil(async () => (await world.row(id)).claimedUntilMs === undefined);
    expect(world.videos()).toEqual([]);
    await publish.approve(id, GRACE);
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    expect(world.videos()).toMatchObject([{ title: "Something else" }]);
    // The pieces that had arrived were not sent again.
    expect(world.standIn.ledger.filter(({ path }) => path.endsWith("/start"))).toHaveLength(1);
    expect(await world.acts()).toContain("approval-voided");
  });

  it("leaves changing and submitting to the person who attached the video", async () => {
    const { world, publish } = await openWorldWithApproval();
    const { id } = await publish.draft(world.order());
    await expect(publish.edit(id, { title: "Mine" }, GRACE)).rejects.toThrow(
      "Only the person who attached it",
    );
    await expect(publish.submit(id, GRACE)).rejects.toThrow("Only the person who attached it");
  });

  it("is requested in another channel once the first is closed to the bot and somebody has chosen another", async () => {
    const { world, publish, rules } = await openWorldWithApproval();
    const { id } = await publish.draft(world.order());
    world.discord.fault = (_verb, channelId) => (channelId === APPROVERS ? "not-allowed" : undefined);
    await publish.submit(id, ADA);
    await world.advanceUntil(() => world.told()[0]?.includes("problem discord not-permitted") === true);
    world.discord.gone.add(APPROVERS);
    await expect(publish.edit(id, {}, ADA)).rejects.toThrow(`<#${APPROVERS}>`);
    await rules.change(GUILD, { approvalChannelId: "1003" }, ADA);
    await publish.edit(id, {}, ADA);
    await world.advanceUntil(() => world.told("1003").length === 1);
    await world.advanceUntil(() => world.told()[0] === "publication, awaiting-approval, Opening day");
    await publish.approve(id, GRACE);
    expect(await world.settle(id)).toMatchObject({ state: "published" });
  });

  it("is requested on a retry if the server has required it since the first attempt", async () => {
    const world = await openPublishWorld({ upload: "simple" });
    const { publish, rules } = world.begin();
    world.standIn.faults.add({ path: /\/videos\/simple$/, do: "permission" });
    const { id } = await publish.draft(world.order());
    await publish.submit(id, ADA);
    expect(await world.settle(id)).toMatchObject({ state: "failed" });
    await rules.change(GUILD, { approvalChannelId: APPROVERS }, GRACE);
    expect(await publish.retry(id, ADA)).toMatchObject({ state: "awaiting-approval", asksApproval: true });
    await expect(publish.approve(id, ADA)).rejects.toThrow(UserError);
    await publish.approve(id, GRACE);
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    expect(world.videos()).toHaveLength(1);
  });

  it("is not requested again on a retry if somebody has approved it", async () => {
    const { world, publish } = await openWorldWithApproval();
    const { id } = await publish.draft(world.order());
    await publish.submit(id, ADA);
    world.standIn.faults.add({ path: /\/videos\//, do: "permission" });
    await publish.approve(id, GRACE);
    expect(await world.settle(id)).toMatchObject({ state: "failed" });
    expect(await publish.retry(id, ADA)).toMatchObject({ state: "uploading", decidedBy: GRACE.userId });
  });

  it("expires with the file's link", async () => {
    const { world, publish } = await openWorldWithApproval();
    const { id } = await publish.draft(world.order());
    await publish.submit(id, ADA);
    await world.advanceUntil(async () => (await world.row(id)).state === "expired", 25 * HOUR_MS);
    await world.settle(id);
    expect(world.told()).toEqual(["publication, expired, Opening day"]);
    expect(world.told(APPROVERS)).toEqual(["approve?, expired, Opening day"]);
    expect(await publish.approve(id, GRACE)).toMatchObject({ state: "expired" });
  });

  it("cannot be given for a time that has passed", async () => {
    const { world, publish } = await openWorldWithApproval();
    const { id } = await publish.draft(world.order({ publishAt: "in 2 hours" }));
    await publish.submit(id, ADA);
    await world.clock.advance(3 * HOUR_MS);
    await expect(publish.approve(id, GRACE)).rejects.toThrow("has passed");
    await publish.edit(id, { publishAt: "in 2 hours" }, ADA);
    expect(await publish.approve(id, GRACE)).toMatchObject({ state: "uploading" });
  });

  it("cannot be requested in a channel in which the bot may not write", async () => {
    const { world, publish } = await openWorldWithApproval();
    const { id } = await publish.draft(world.order());
    world.discord.gone.add(APPROVERS);
    await expect(publish.submit(id, ADA)).rejects.toThrow(`<#${APPROVERS}>`);
    expect(await world.row(id)).toMatchObject({ state: "draft" });
  });
});

it("drafts, submissions, edits, cancellations and retries need the server's publisher role", async () => {
  const world = await openPublishWorld({ upload: "simple" });
  const { publish, rules } = world.begin();
  const { id } = await publish.draft(world.order());
  await rules.change(GUILD, { publisherRoleId: "77" }, ADA);
  const acts = [
    () => publish.draft(world.order()),
    () => publish.submit(id, ADA),
    () => publish.edit(id, { title: "Mine" }, ADA),
    () => publish.cancel(id, ADA),
    () => publish.retry(id, ADA),
  ];
  for (const act of acts) {
    await expect(act()).rejects.toMatchObject({ reason: "permission" });
  }
  expect(await world.row(id)).toMatchObject({ state: "draft", title: "Opening day" });
  expect(await publish.submit(id, { ...ADA, roleIds: ["77"] })).toMatchObject({ state: "uploading" });
});

describe("a failed publication", () => {
  it("can be given another time when its own has passed, and then be sent again", async () => {
    const world = await openPublishWorld({ upload: "simple" });
    const { publish } = world.begin();
    world.standIn.faults.add({ path: /\/videos\/simple$/, do: "permission" });
    const { id } = await publish.draft(world.order({ publishAt: "in 2 hours" }));
    await publish.submit(id, ADA);
    expect(await world.settle(id)).toMatchObject({ state: "failed" });
    await world.clock.advance(3 * HOUR_MS);
    await expect(publish.retry(id, ADA)).rejects.toThrow("choose another with **Edit**");
    expect(await publish.edit(id, { publishAt: "" }, ADA)).toMatchObject({
      state: "failed",
      problem: { kind: "not-permitted" },
    });
    await publish.retry(id, ADA);
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    expect(world.videos()).toHaveLength(1);
  });

  it("at the service is not mistaken for its second attempt", async () => {
    const world = await openPublishWorld({ upload: "simple", processingEnd: "failed" });
    const { publish } = world.begin();
    const { id } = await publish.draft(world.order());
    await publish.submit(id, ADA);
    expect(await world.settle(id)).toMatchObject({ state: "failed", videoId: world.videos()[0]?.id });
    world.standIn.faults.add({ path: /\/videos\/simple$/, do: "unknown" });
    await publish.retry(id, ADA);
    expect(await world.settle(id)).toMatchObject({ state: "outcome-unknown" });
    expect(await publish.findCandidate(id)).toEqual({ candidate: undefined });
  });
});

describe("cancelling", () => {
  it("ends an upload in pieces, at the service too", async () => {
    const world = await openPublishWorld({ upload: "chunked", windowBytes: () => 10_000 });
    const { publish } = world.begin();
    const { id } = await publish.draft(world.order());
    world.files.holdAfterBytes = 25_000;
    await publish.submit(id, ADA);
    await until(() => world.standIn.sessions()[0]?.receivedBytes === 20_000);
    expect(await publish.cancel(id, ADA)).toMatchObject({ state: "cancelled" });
    expect(await world.settle(id)).toMatchObject({
      state: "cancelled",
      session: undefined,
      fileUrl: undefined,
    });
    expect(world.standIn.sessions()).toEqual([]);
    expect(world.videos()).toEqual([]);
    expect(world.told()).toEqual(["publication, cancelled, Opening day"]);
    expect(await world.acts()).toEqual(["submitted", "cancelled"]);
  });

  it("stops a simple upload before it is complete", async () => {
    const world = await openPublishWorld({ upload: "simple" });
    const { publish } = world.begin();
    const { id } = await publish.draft(world.order());
    world.files.holdAfterBytes = 25_000;
    await publish.submit(id, ADA);
    await until(() => world.standIn.simpleUploads().length === 1);
    expect(await publish.cancel(id, ADA)).toMatchObject({ state: "uploading", isStopping: true });
    expect(await world.settle(id)).toMatchObject({ state: "cancelled", pendingWrite: undefined });
    expect(world.videos()).toEqual([]);
    expect(await world.acts()).toEqual(["submitted", "cancelled"]);
  });

  it("stops an upload by another process", async () => {
    for (const upload of ["simple", "chunked"] as const) {
      const world = await openPublishWorld({ upload, windowBytes: () => 10_000 });
      const sender = world.begin();
      const { id } = await sender.publish.draft(world.order());
      world.files.holdAfterBytes = 25_000;
      await sender.publish.submit(id, ADA);
      await until(() => world.files.asked.length === 2);
      await until(async () => (await world.row(id)).session !== undefined || upload === "simple");
      await world.begin().publish.cancel(id, ADA);
      await world.clock.advance(2_000);
      expect(await world.settle(id)).toMatchObject({ state: "cancelled" });
      expect(world.videos()).toEqual([]);
      expect(world.standIn.sessions()).toEqual([]);
      await world.close();
    }
  });

  it("looks for the video if it came too late, and reports the outcome", async () => {
    const world = await openPublishWorld({ upload: "simple" });
    const { publish } = world.begin();
    const { id } = await publish.draft(world.order());
    const held = world.standIn.faults.add({ path: /\/videos\/simple$/, do: "hang-after" });
    await publish.submit(id, ADA);
    await until(() => world.videos().length === 1);
    await expect(publish.edit(id, { title: "Late" }, ADA)).rejects.toThrow("being published right now");
    expect(await publish.cancel(id, ADA)).toMatchObject({ isStopping: true });
    held.release();
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    expect(world.told()).toEqual([expect.stringContaining("published, Opening day, stopping")]);
  });

  it("prevents a retry if the upload fails", async () => {
    const world = await openPublishWorld({ upload: "simple" });
    const { publish } = world.begin();
    const { id } = await publish.draft(world.order());
    const held = world.standIn.faults.add({ path: /\/videos\/simple$/, do: "hang" });
    await publish.submit(id, ADA);
    await until(() => held.hits === 1);
    await publish.cancel(id, ADA);
    world.standIn.faults.add({ path: /\/videos\/simple$/, do: "throttled" });
    held.release();
    const { state } = await world.settle(id);
    expect(["cancelled", "published", "outcome-unknown"]).toContain(state);
    expect(world.videos()).toHaveLength(state === "published" ? 1 : 0);
  });

  it("is refused once the video is published", async () => {
    const world = await openPublishWorld({ upload: "simple" });
    const { publish } = world.begin();
    const { id } = await publish.draft(world.order());
    await publish.submit(id, ADA);
    await world.settle(id);
    await expect(publish.cancel(id, ADA)).rejects.toThrow("/video delete");
    await expect(publish.edit(id, { title: "Late" }, ADA)).rejects.toThrow("/video edit");
  });
});

function gardenAccount({ standIn }: Awaited<ReturnType<typeof openPublishWorld>>): UsableAccount {
  return {
    key: `page:${standIn.secondPageId}`,
    account: { token: standIn.tokens.secondPage, id: standIn.secondPageId },
    name: "Garden Railway",
  };
}

describe("another account", () => {
  it("does not replace one that was unlinked until the submitter has been told", async () => {
    const world = await openPublishWorld({ upload: "simple" });
    const { publish } = world.begin();
    const { id } = await publish.draft(world.order());
    const { standIn } = world;
    world.accounts.current = gardenAccount(world);
    await expect(publish.submit(id, ADA)).rejects.toThrow("go out with “Garden Railway”");
    expect(await publish.find(id)).toMatchObject({ state: "draft", account: { name: "Garden Railway" } });
    await publish.submit(id, ADA);
    await world.settle(id);
    expect(world.videos()).toMatchObject([{ pageId: standIn.secondPageId }]);
  });

  it("needs approval again for a retry", async () => {
    const { world, publish } = await openWorldWithApproval();
    const { id } = await publish.draft(world.order());
    await publish.submit(id, ADA);
    world.standIn.faults.add({ path: /\/videos\//, do: "permission" });
    await publish.approve(id, GRACE);
    await world.settle(id);
    world.accounts.current = gardenAccount(world);
    await expect(publish.retry(id, ADA)).rejects.toThrow("go out with “Garden Railway”");
    expect(await publish.retry(id, ADA)).toMatchObject({ state: "awaiting-approval", decidedBy: undefined });
    expect((await world.acts()).slice(-2)).toEqual(["failed", "submitted"]);
  });

  it("is named before a retry if no approval is needed", async () => {
    const world = await openPublishWorld({ upload: "chunked" });
    const { publish } = world.begin();
    const operator = world.accounts.current;
    world.accounts.current = gardenAccount(world);
    const { id } = await publish.draft(world.order());
    world.standIn.faults.add({ path: /\/finish$/, do: "permission" });
    await publish.submit(id, ADA);
    expect(await world.settle(id)).toMatchObject({ state: "failed" });
    world.accounts.current = operator;
    await expect(publish.retry(id, ADA)).rejects.toThrow("the bot's own account, “Signal Hall”");
    expect(await world.row(id)).toMatchObject({ state: "failed", account: "operator", session: undefined });
    await publish.retry(id, ADA);
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    expect(world.videos()).toMatchObject([{ pageId: world.standIn.pageId }]);
  });

  it("is named before anybody approves it, and the version that was shown before cannot be approved", async () => {
    const { world, publish } = await openWorldWithApproval();
    const { id } = await publish.draft(world.order());
    const { stateAtMs } = await publish.submit(id, ADA);
    await world.clock.advance(1_000);
    world.accounts.current = gardenAccount(world);
    await expect(publish.approve(id, GRACE, stateAtMs)).rejects.toThrow("go out with “Garden Railway”");
    await expect(publish.approve(id, GRACE, stateAtMs)).rejects.toThrow("changed since you looked");
    const { stateAtMs: newStateAtMs } = await world.row(id);
    await publish.approve(id, GRACE, newStateAtMs);
    await world.settle(id);
    expect(world.videos()).toMatchObject([{ pageId: world.standIn.secondPageId }]);
  });

  it("is not used by a publication that waits for its time", async () => {
    const world = await openPublishWorld({ upload: "simple" });
    const { publish } = world.begin();
    const { id } = await publish.draft(world.order({ publishAt: "in 11 minutes" }));
    await publish.submit(id, ADA);
    await world.advanceUntil(async () => (await world.row(id)).notBeforeMs !== undefined);
    expect(world.videos()).toEqual([]);
    world.accounts.current = gardenAccount(world);
    expect(await world.settle(id)).toMatchObject({ state: "failed", account: "operator" });
    expect(world.told()).toEqual([expect.stringContaining("problem account no-account")]);
    expect(world.videos()).toEqual([]);
    await expect(publish.retry(id, ADA)).rejects.toThrow("has passed");
  });

  it("is needed by a server that the operator no longer lists, even for publications it had begun", async () => {
    const world = await openPublishWorld({ upload: "simple" });
    const life = world.begin();
    const waiting = await life.publish.draft(world.order());
    const { id } = await life.publish.draft(world.order({ publishAt: "in 11 minutes" }));
    await life.publish.submit(id, ADA);
    await world.advanceUntil(async () => (await world.row(id)).notBeforeMs !== undefined);
    world.accounts.mayPublish = false;
    await expect(life.publish.submit(waiting.id, ADA)).rejects.toThrow(NO_ACCOUNT);
    expect(await world.settle(id)).toMatchObject({ state: "failed" });
    expect(world.told()).toEqual([expect.stringContaining("problem account no-account")]);
    expect(world.videos()).toEqual([]);
  });

  it("is not mentioned if there is none", async () => {
    const { world, publish } = await openWorldWithApproval();
    const { id } = await publish.draft(world.order());
    await publish.submit(id, ADA);
    world.accounts.current = undefined;
    await expect(publish.approve(id, GRACE)).rejects.toThrow(NO_ACCOUNT);
    expect(await world.row(id)).toMatchObject({ state: "awaiting-approval", account: "operator" });
  });
});

describe("the servers that are offered", () => {
  it("are those for which the person may publish", async () => {
    const world = await openPublishWorld();
    const { publishableServers, rules } = world.begin();
    expect(await publishableServers("7")).toEqual([{ guildId: GUILD, name: "Hall" }]);
    expect(await publishableServers(STRANGER)).toEqual([]);
    await rules.change(GUILD, { publisherRoleId: "77" }, ADA);
    await world.clock.advance(60_001);
    expect(await publishableServers("7")).toEqual([]);
  });

  it("include those whose account cannot be used now, which the draft explains", async () => {
    const world = await openPublishWorld();
    const { publishableServers, publish } = world.begin();
    Object.defineProperty(world.accounts, "current", {
      get() {
        throw new UserError("This server's video account can't be used.");
      },
    });
    expect(await publishableServers("7")).toEqual([{ guildId: GUILD, name: "Hall" }]);
    await expect(publish.draft(world.order())).rejects.toThrow("can't be used");
  });

  it("are found among any number of servers without an account", async () => {
    const world = await openPublishWorld();
    const { publishableServers, publish } = world.begin();
    world.guilds.splice(0, 1, ...Array.from({ length: 60 }, (_, at) => ({ id: `x${at}`, name: `X${at}` })));
    await publish.draft(world.order({ guildId: "x55" }));
    world.accounts.mayPublish = false;
    world.accounts.linkedGuilds.add("x59").add("left");
    expect(await publishableServers(ADA.userId)).toEqual([{ guildId: "x59", name: "X59" }]);
  });

  it("are first those where the person published before, then those with their own account", async () => {
    const world = await openPublishWorld();
    const { publishableServers, publish } = world.begin();
    world.guilds.splice(0, 1, ...Array.from({ length: 60 }, (_, at) => ({ id: `x${at}`, name: `X${at}` })));
    world.accounts.linkedGuilds.add("x50");
    await publish.draft(world.order({ guildId: "x55" }));
    await publish.draft(world.order({ guildId: "left" }));
    const offered = (await publishableServers(ADA.userId)).map(({ guildId }) => guildId);
    expect(offered.slice(0, 3)).toEqual(["x55", "x50", "x0"]);
    expect(offered).toHaveLength(25);
  });

  it("are looked up once a minute for each person", async () => {
    const world = await openPublishWorld();
    const { publishableServers, rules } = world.begin();
    await rules.change(GUILD, { publisherRoleId: "77" }, ADA);
    const offered = () => Promise.all([1, 2, 3].map(() => publishableServers("7")));
    expect(await offered()).toEqual([[], [], []]);
    await rules.change(GUILD, { publisherRoleId: undefined }, ADA);
    await world.clock.advance(60_000 - 1);
    // A new lookup would offer the server by now.
    expect(await offered()).toEqual([[], [], []]);
    expect(await publishableServers("8")).toHaveLength(1);
    await world.clock.advance(2);
    expect(await publishableServers("7")).toHaveLength(1);
  });

  it("are looked up again at once if Discord did not tell the person's rights", async () => {
    const world = await openPublishWorld();
    const { publishableServers } = world.begin();
    world.accounts.rightsFailure = new MessengerError("slow-down", "away");
    await expect(publishableServers("7")).rejects.toThrow(MessengerError);
    world.accounts.rightsFailure = undefined;
    expect(await publishableServers("7")).toHaveLength(1);
  });

  it("are looked up again at once if the list of servers could not be read", async () => {
    const world = await openPublishWorld();
    const { publishableServers } = world.begin();
    const { publications } = world.database;
    const guildsOf = publications.guildsOf.bind(publications);
    publications.guildsOf = () => Promise.reject(new ServiceError("storage", "unavailable", "away"));
    await expect(publishableServers("7")).rejects.toThrow(ServiceError);
    publications.guildsOf = guildsOf;
    expect(await publishableServers("7")).toHaveLength(1);
  });
});

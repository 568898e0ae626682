import { describe, expect, it } from "vitest";
import type { PublicationState } from "../../../src/videos/publications-table.ts";
import { ADA, CHANNEL, GRACE, GUILD, openPublishWorld } from "../../support/publish-world.ts";
import { until } from "../../support/until.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const REMOVED_NOTE = "I was removed from the server";
const isStillDue = async () => true;

/** Opens a world with a video that the service has processed, or is processing, to publish it, by default in two days. */
async function scheduled(publishAt = "in 2 days", state: PublicationState = "scheduled") {
  const world = await openPublishWorld({ upload: "simple" });
  const life = world.begin();
  const { id, publishAtMs = 0 } = await life.publish.draft(world.order({ publishAt }));
  await life.publish.submit(id, ADA);
  await world.advanceUntil(async () => (await world.row(id)).state === state);
  const actsSince = async () => (await world.acts()).slice(2);
  return { world, life, id, publishAtMs, actsSince };
}

/** Opens a world with a scheduled video of which nobody could find out whether the service has it. */
async function withUnknownOutcome() {
  const world = await openPublishWorld({ upload: "chunked" });
  const life = world.begin();
  world.standIn.faults.add({ method: "POST", path: /\/videos\/finish$/, do: "drop-after" });
  const hidden = world.standIn.faults.add({ method: "GET", path: /^\/\d+$/, do: "gone", times: 1_000 });
  const { id, publishAtMs = 0 } = await life.publish.draft(world.order({ publishAt: "in 2 days" }));
  await life.publish.submit(id, ADA);
  expect(await world.settle(id)).toMatchObject({ state: "outcome-unknown" });
  return { world, life, id, publishAtMs, reveal: () => hidden.remove() };
}

describe("a server that the bot is removed from", () => {
  it("has an upload in pieces cancelled, at the service too", async () => {
    const world = await openPublishWorld({ upload: "chunked", windowBytes: () => 10_000 });
    const { publish, guilds, rules } = world.begin();
    const { id } = await publish.draft(world.order());
    world.files.holdAfterBytes = 25_000;
    await publish.submit(id, ADA);
    await until(() => world.standIn.sessions()[0]?.receivedBytes === 20_000);
    await guilds.left(GUILD);
    await guilds.left(GUILD);
    expect(await world.settle(id)).toMatchObject({ state: "cancelled", session: undefined });
    expect(await publish.find(id)).toMatchObject({ stopReason: "left" });
    expect(world.standIn.sessions()).toEqual([]);
    expect(world.videos()).toEqual([]);
    expect(await world.acts()).toEqual(["submitted", "cancelled"]);
    const [act] = await rules.auditEntries(GUILD, { limit: 1 });
    expect(act).toMatchObject({ actorId: undefined, note: REMOVED_NOTE });
  });

  it("has a simple upload stopped", async () => {
    const world = await openPublishWorld({ upload: "simple" });
    const { publish, guilds, rules } = world.begin();
    const { id } = await publish.draft(world.order());
    world.files.holdAfterBytes = 25_000;
    await publish.submit(id, ADA);
    await until(() => world.standIn.simpleUploads().length === 1);
    await guilds.left(GUILD);
    expect(await world.settle(id)).toMatchObject({ state: "cancelled" });
    expect(await publish.find(id)).toMatchObject({ stopReason: "left" });
    expect(world.videos()).toEqual([]);
    expect(await rules.auditEntries(GUILD, { limit: 1 })).toMatchObject([
      { act: "cancelled", note: REMOVED_NOTE },
    ]);
  });

  it("has a scheduled video cancelled at the service, and can publish it again after its return", async () => {
    const { world, life, id, publishAtMs, actsSince } = await scheduled();
    await life.guilds.left(GUILD);
    await world.advanceUntil(() => world.videos().length === 0);
    expect(await world.settle(id)).toMatchObject({
      state: "cancelled",
      stopReason: "left",
      title: "Opening day",
      publishAtMs,
      fileUrl: expect.any(String),
    });
    await life.guilds.left(GUILD);
    await expect(life.publish.retry(id, ADA)).rejects.toThrow("can't be sent again");
    await life.guilds.returned([GUILD]);
    expect(await world.settle(id)).toMatchObject({ state: "cancelled", stopReason: "returned" });
    expect(world.told()).toHaveLength(1);
    await life.publish.retry(id, ADA);
    await world.advanceUntil(async () => (await world.row(id)).state === "scheduled");
    expect(world.videos()).toMatchObject([{ publishAtMs, title: "Opening day" }]);
    expect(await actsSince()).toEqual(["cancelled", "submitted", "scheduled"]);
    await world.advanceUntil(async () => (await world.row(id)).state === "published", 3 * DAY_MS);
    expect(world.clock.now()).toBeGreaterThanOrEqual(publishAtMs);
  });

  it("has the video's message updated after its return, because the bot could not edit it before", async () => {
    const { world, life, id } = await scheduled();
    world.discord.gone.add(CHANNEL);
    world.discord.gone.add(ADA.userId);
    await life.guilds.left(GUILD);
    await world.advanceUntil(async () => {
      const { shownHash, claimedUntilMs } = await world.row(id);
      return shownHash === "unwanted" && claimedUntilMs === undefined;
    });
    world.discord.gone.clear();
    await world.clock.advance(HOUR_MS);
    await life.guilds.returned([GUILD]);
    await life.guilds.returned([GUILD]);
    await world.settle(id);
    expect(world.told()).toEqual(["publication, cancelled, Opening day"]);
  });

  it("has its submitter told by direct message, and the video's message in the server is still updated later", async () => {
    const { world, life, id } = await scheduled();
    world.discord.gone.add(CHANNEL);
    await life.guilds.left(GUILD);
    await world.settle(id);
    expect(world.told(ADA.userId)).toEqual(["publication, cancelled, Opening day"]);
    world.discord.gone.clear();
    await world.clock.advance(HOUR_MS);
    await life.guilds.returned([GUILD]);
    expect(await world.settle(id)).toMatchObject({ channelId: CHANNEL, stopReason: "returned" });
    expect(world.told()).toEqual(["publication, cancelled, Opening day"]);
    expect(world.told(ADA.userId)).toHaveLength(1);
  });

  it("is told after its return that its video was published meanwhile", async () => {
    const { world, life, id, publishAtMs } = await scheduled("in 20 minutes");
    const hidden = world.standIn.faults.add({ method: "GET", path: /^\/\d+$/, do: "500", times: 1_000 });
    await world.clock.advance(publishAtMs - world.clock.now() + 1_000);
    world.discord.gone.add(CHANNEL);
    await life.guilds.left(GUILD);
    hidden.remove();
    await world.settle(id);
    world.discord.gone.clear();
    await life.guilds.returned([GUILD]);
    await world.settle(id);
    expect(world.told()).toEqual([expect.stringMatching(/^publication, published/)]);
  });

  it("must choose a new time if the old one has passed, and its file gets a fresh link", async () => {
    const { world, life, id } = await scheduled();
    await life.guilds.left(GUILD);
    const { fileUrl = "" } = await world.settle(id);
    await world.clock.advance(3 * DAY_MS);
    await life.guilds.returned([GUILD]);
    await world.settle(id);
    await expect(life.publish.retry(id, ADA)).rejects.toThrow("attach the video again");
    const { url } = world.order().file;
    world.discord.freshLinks.set(fileUrl, url);
    await expect(life.publish.retry(id, ADA)).rejects.toThrow("has passed");
    await life.publish.edit(id, { publishAt: "" }, ADA);
    await life.publish.retry(id, ADA);
    expect(await world.settle(id)).toMatchObject({ state: "published", fileUrl: undefined });
    expect(world.videos()).toHaveLength(1);
  });

  it("needs approval again if it changes what was approved", async () => {
    const { world, life, id } = await scheduled();
    await life.guilds.left(GUILD);
    await world.settle(id);
    await world.database.publications.change(await world.row(id), { decidedBy: GRACE.userId });
    await life.guilds.returned([GUILD]);
    await life.rules.change(GUILD, { approvalChannelId: "1002" }, ADA);
    await life.publish.edit(id, { title: "Another" }, ADA);
    expect(await life.publish.retry(id, ADA)).toMatchObject({ state: "awaiting-approval", title: "Another" });
  });

  it("has its video cancelled although an answer is lost and the service fails for a while", async () => {
    const { world, life, id, actsSince } = await scheduled();
    const write = { method: "DELETE", path: /^\/\d+$/ } as const;
    world.standIn.faults.add({ ...write, do: "500" });
    world.standIn.faults.add({ ...write, do: "drop-after" });
    await life.guilds.left(GUILD);
    expect(await world.settle(id)).toMatchObject({ state: "cancelled", stopReason: "left" });
    expect(world.videos()).toEqual([]);
    expect(await actsSince()).toEqual(["cancelled"]);
  });

  it.each(["processing", "scheduled"] as const)(
    "has its video cancelled even if it returns in the meantime (%s)",
    async (state) => {
      const { world, life, id } = await scheduled(undefined, state);
      const slow = world.standIn.faults.add({ method: "DELETE", path: /^\/\d+$/, do: "drop-after" });
      await life.guilds.left(GUILD);
      await world.advanceUntil(() => slow.hits === 1);
      await life.guilds.returned([GUILD]);
      expect(await world.settle(id)).toMatchObject({ state: "cancelled", stopReason: "returned" });
      expect(world.videos()).toEqual([]);
    },
  );

  it("keeps a video that was published just before", async () => {
    const { world, life, id, publishAtMs } = await scheduled("in 20 minutes");
    const hidden = world.standIn.faults.add({ method: "GET", path: /^\/\d+$/, do: "500", times: 1_000 });
    await world.clock.advance(publishAtMs - world.clock.now() + 1_000);
    await life.guilds.left(GUILD);
    hidden.remove();
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    expect(world.videos()).toHaveLength(1);
  });

  it("has its scheduled video deleted at the service before its data is erased", async () => {
    const { world, life, id } = await scheduled();
    await life.guilds.left(GUILD);
    const outage = world.standIn.faults.add({ method: "DELETE", path: /^\/\d+$/, do: "500", times: 9 });
    expect(await life.guilds.erasing(GUILD, isStillDue)).toBe(false);
    expect(world.videos()).toHaveLength(1);
    outage.remove();
    expect(await life.guilds.erasing(GUILD, isStillDue)).toBe(true);
    expect(await life.guilds.erasing(GUILD, isStillDue)).toBe(true);
    expect(world.videos()).toEqual([]);
    expect(await world.row(id)).toBeDefined();
  });

  it("has an upload that could no longer be stopped cancelled at the service", async () => {
    const world = await openPublishWorld({ upload: "chunked" });
    const { publish, guilds } = world.begin();
    const finish = world.standIn.faults.add({ method: "POST", path: /\/videos\/finish$/, do: "drop-after" });
    const hidden = world.standIn.faults.add({ method: "GET", path: /^\/\d+$/, do: "gone", times: 1_000 });
    const { id } = await publish.draft(world.order({ publishAt: "in 2 days" }));
    await publish.submit(id, ADA);
    await world.advanceUntil(() => finish.hits === 1);
    await guilds.left(GUILD);
    expect(await publish.find(id)).toMatchObject({ state: "uploading", stopReason: "left" });
    hidden.remove();
    expect(await world.settle(id)).toMatchObject({ state: "cancelled", stopReason: "left" });
    expect(world.videos()).toEqual([]);
  });

  it("has no upload stopped once it has returned", async () => {
    const world = await openPublishWorld({ upload: "chunked" });
    const { publish, guilds } = world.begin();
    const finish = world.standIn.faults.add({ method: "POST", path: /\/videos\/finish$/, do: "drop-after" });
    const hidden = world.standIn.faults.add({ method: "GET", path: /^\/\d+$/, do: "gone", times: 1_000 });
    const { id, publishAtMs } = await publish.draft(world.order({ publishAt: "in 2 days" }));
    await publish.submit(id, ADA);
    await world.advanceUntil(() => finish.hits === 1);
    await guilds.left(GUILD);
    await guilds.returned([GUILD]);
    expect(await publish.find(id)).toMatchObject({ state: "uploading", isStopping: false });
    hidden.remove();
    await world.advanceUntil(async () => (await world.row(id)).state === "scheduled");
    expect(world.videos()).toMatchObject([{ publishAtMs }]);
  });

  it("keeps a video that turns out to be scheduled on its own account", async () => {
    const world = await openPublishWorld({ upload: "chunked" });
    const token = world.standIn.tokens.page;
    world.accounts.current = { key: "page:1", account: { token }, name: "Hall" };
    const { publish, guilds } = world.begin();
    const finish = world.standIn.faults.add({ method: "POST", path: /\/videos\/finish$/, do: "drop-after" });
    const hidden = world.standIn.faults.add({ method: "GET", path: /^\/\d+$/, do: "gone", times: 1_000 });
    const { id, publishAtMs } = await publish.draft(world.order({ publishAt: "in 2 days" }));
    await publish.submit(id, ADA);
    await world.advanceUntil(() => finish.hits === 1);
    await guilds.left(GUILD);
    hidden.remove();
    await world.advanceUntil(async () => (await world.row(id)).state === "scheduled");
    await guilds.returned([GUILD]);
    expect(await world.row(id)).toMatchObject({ state: "scheduled", stopReason: undefined });
    expect(world.videos()).toMatchObject([{ publishAtMs }]);
  });

  it("has a video with an unknown outcome looked for once more, and cancelled", async () => {
    const { world, life, id, reveal } = await withUnknownOutcome();
    await life.guilds.left(GUILD);
    reveal();
    expect(await world.settle(id)).toMatchObject({ state: "cancelled", stopReason: "left" });
    expect(world.videos()).toEqual([]);
  });

  it("has a video with an unknown outcome looked for only once, and deleted if it appears before the erasure", async () => {
    const { world, life, id, reveal } = await withUnknownOutcome();
    await life.guilds.left(GUILD);
    expect(await world.settle(id)).toMatchObject({ state: "outcome-unknown" });
    await life.guilds.left(GUILD);
    expect(await world.row(id)).toMatchObject({ state: "outcome-unknown" });
    reveal();
    expect(await life.guilds.erasing(GUILD, isStillDue)).toBe(true);
    expect(world.videos()).toEqual([]);
  });

  it("keeps an unknown outcome if it returns, so that its people can resolve it, or if the video may be public", async () => {
    const { world, life, id, publishAtMs } = await withUnknownOutcome();
    await life.guilds.left(GUILD);
    await world.settle(id);
    await life.guilds.returned([GUILD]);
    const kept = { state: "outcome-unknown", stopReason: undefined };
    expect(await life.publish.find(id)).toMatchObject(kept);
    await world.clock.advance(publishAtMs - world.clock.now());
    await life.guilds.left(GUILD);
    expect(await world.row(id)).toMatchObject(kept);
    expect(await life.guilds.erasing(GUILD, isStillDue)).toBe(true);
    expect(world.videos()).toHaveLength(1);
  });

  it("is treated as returned once it is among the servers that are back, and not before", async () => {
    const { world, life, id } = await scheduled();
    await life.guilds.left(GUILD);
    await world.settle(id);
    await life.guilds.returned(["another"]);
    expect(await world.row(id)).toMatchObject({ stopReason: "left" });
    await life.guilds.returned(["another", GUILD]);
    expect(await world.row(id)).toMatchObject({ stopReason: "returned" });
  });

  it("has nothing deleted once it is back", async () => {
    const { world, life } = await scheduled();
    await life.guilds.left(GUILD);
    expect(await life.guilds.erasing(GUILD, async () => false)).toBe(false);
    expect(world.videos()).toHaveLength(1);
  });

  it("keeps published videos, and those that wait for approval", async () => {
    const world = await openPublishWorld({ upload: "simple" });
    const { publish, guilds, rules } = world.begin();
    const { id } = await publish.draft(world.order());
    await publish.submit(id, ADA);
    await world.settle(id);
    await rules.change(GUILD, { approvalChannelId: "1002" }, ADA);
    const waiting = await publish.draft(world.order());
    await publish.submit(waiting.id, ADA);
    await guilds.left(GUILD);
    expect(await guilds.erasing(GUILD, isStillDue)).toBe(true);
    expect(await world.row(id)).toMatchObject({ state: "published" });
    expect(await world.row(waiting.id)).toMatchObject({ state: "awaiting-approval" });
    expect(world.videos()).toHaveLength(1);
  });
});

import { describe, expect, it } from "vitest";
import { ADA, CHANNEL, GRACE, GUILD, openPublishWorld } from "../../support/publish-world.ts";
import { until } from "../../support/until.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOTE = "I was removed from the server";
const isStillDue = async () => true;

/** A server whose video goes out in two days, by the service. */
async function scheduled(publishAt = "in 2 days") {
  const world = await openPublishWorld({ upload: "simple" });
  const life = world.begin();
  const { id, publishAtMs = 0 } = await life.publish.draft(world.order({ publishAt }));
  await life.publish.submit(id, ADA);
  await world.advanceUntil(async () => (await world.row(id)).state === "scheduled");
  const actsSince = async () => (await world.acts()).slice(2);
  return { world, life, id, publishAtMs, actsSince };
}

/** A server whose video may go out in two days: nobody could find out whether the service has it. */
async function withUnknownOutcome() {
  const world = await openPublishWorld({ upload: "chunked" });
  const life = world.begin();
  world.standIn.faults.add({ method: "POST", path: /\/videos\/finish$/, do: "drop-after" });
  const blind = world.standIn.faults.add({ method: "GET", path: /^\/\d+$/, do: "gone", times: 1_000 });
  const { id, publishAtMs = 0 } = await life.publish.draft(world.order({ publishAt: "in 2 days" }));
  await life.publish.submit(id, ADA);
  expect(await world.settle(id)).toMatchObject({ state: "outcome-unknown" });
  return { world, life, id, publishAtMs, findsIt: () => blind.remove() };
}

describe("a server that the bot is removed from", () => {
  it("has what is sent in pieces cancelled, at the service too", async () => {
    const world = await openPublishWorld({ upload: "chunked", windowBytes: () => 10_000 });
    const { publish, guilds, rules } = world.begin();
    const { id } = await publish.draft(world.order());
    world.files.holdAfterBytes = 25_000;
    await publish.submit(id, ADA);
    await until(() => world.standIn.sessions()[0]?.receivedBytes === 20_000);
    await guilds.left(GUILD);
    await guilds.left(GUILD);
    expect(await world.settle(id)).toMatchObject({ state: "cancelled", session: undefined });
    expect(await publish.find(id)).toMatchObject({ left: "left" });
    expect(world.standIn.sessions()).toEqual([]);
    expect(world.videos()).toEqual([]);
    expect(await world.acts()).toEqual(["submitted", "cancelled"]);
    const [act] = await rules.auditEntries(GUILD, { limit: 1 });
    expect(act).toMatchObject({ actorId: undefined, note: NOTE });
  });

  it("has what is sent at once cut short", async () => {
    const world = await openPublishWorld({ upload: "simple" });
    const { publish, guilds, rules } = world.begin();
    const { id } = await publish.draft(world.order());
    world.files.holdAfterBytes = 25_000;
    await publish.submit(id, ADA);
    await until(() => world.standIn.simpleUploads().length === 1);
    await guilds.left(GUILD);
    expect(await world.settle(id)).toMatchObject({ state: "cancelled" });
    expect(await publish.find(id)).toMatchObject({ left: "left" });
    expect(world.videos()).toEqual([]);
    expect(await rules.auditEntries(GUILD, { limit: 1 })).toMatchObject([{ act: "cancelled", note: NOTE }]);
  });

  it("has what waits for its time cancelled at the service, and is offered to publish it again", async () => {
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

  it("is offered that in the video's message, which the bot could not change while it was away", async () => {
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

  it("has its submitter told meanwhile, and the video's message in the server offers it all the same", async () => {
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

  it("is told that its video came out while the bot was away", async () => {
    const { world, life, id, publishAtMs } = await scheduled("in 20 minutes");
    const blind = world.standIn.faults.add({ method: "GET", path: /^\/\d+$/, do: "500", times: 1_000 });
    await world.clock.advance(publishAtMs - world.clock.now() + 1_000);
    world.discord.gone.add(CHANNEL);
    await life.guilds.left(GUILD);
    blind.remove();
    await world.settle(id);
    world.discord.gone.clear();
    await life.guilds.returned([GUILD]);
    await world.settle(id);
    expect(world.told()).toEqual([expect.stringMatching(/^publication, published/)]);
  });

  it("is asked for a time where its own has passed, and gets the file under a fresh link", async () => {
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

  it("has an approval asked for once more where what was approved was changed", async () => {
    const { world, life, id } = await scheduled();
    await life.guilds.left(GUILD);
    await world.settle(id);
    await world.database.publications.change(await world.row(id), { decidedBy: GRACE.userId });
    await life.guilds.returned([GUILD]);
    await life.rules.change(GUILD, { approvalChannelId: "1002" }, ADA);
    await life.publish.edit(id, { title: "Another" }, ADA);
    expect(await life.publish.retry(id, ADA)).toMatchObject({ state: "awaiting-approval", title: "Another" });
  });

  it("has it cancelled though the answer was lost, or the service is away for a while", async () => {
    const { world, life, id, actsSince } = await scheduled();
    const write = { method: "DELETE", path: /^\/\d+$/ } as const;
    world.standIn.faults.add({ ...write, do: "500" });
    world.standIn.faults.add({ ...write, do: "drop-after" });
    await life.guilds.left(GUILD);
    expect(await world.settle(id)).toMatchObject({ state: "cancelled", stopReason: "left" });
    expect(world.videos()).toEqual([]);
    expect(await actsSince()).toEqual(["cancelled"]);
  });

  it("has it cancelled though it comes back while that goes on", async () => {
    const { world, life, id } = await scheduled();
    const slow = world.standIn.faults.add({ method: "DELETE", path: /^\/\d+$/, do: "drop-after" });
    await life.guilds.left(GUILD);
    await world.advanceUntil(() => slow.hits === 1);
    await life.guilds.returned([GUILD]);
    expect(await world.settle(id)).toMatchObject({ state: "cancelled", stopReason: "returned" });
    expect(world.videos()).toEqual([]);
  });

  it("keeps what came out just before", async () => {
    const { world, life, id, publishAtMs } = await scheduled("in 20 minutes");
    const blind = world.standIn.faults.add({ method: "GET", path: /^\/\d+$/, do: "500", times: 1_000 });
    await world.clock.advance(publishAtMs - world.clock.now() + 1_000);
    await life.guilds.left(GUILD);
    blind.remove();
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    expect(world.videos()).toHaveLength(1);
  });

  it("has it deleted at the service before it is forgotten", async () => {
    const { world, life, id } = await scheduled();
    await life.guilds.left(GUILD);
    const away = world.standIn.faults.add({ method: "DELETE", path: /^\/\d+$/, do: "500", times: 9 });
    expect(await life.guilds.erasing(GUILD, isStillDue)).toBe(false);
    expect(world.videos()).toHaveLength(1);
    away.remove();
    expect(await life.guilds.erasing(GUILD, isStillDue)).toBe(true);
    expect(await life.guilds.erasing(GUILD, isStillDue)).toBe(true);
    expect(world.videos()).toEqual([]);
    expect(await world.row(id)).toBeDefined();
  });

  it("has cancelled there what could no longer be stopped", async () => {
    const world = await openPublishWorld({ upload: "chunked" });
    const { publish, guilds } = world.begin();
    const finish = world.standIn.faults.add({ method: "POST", path: /\/videos\/finish$/, do: "drop-after" });
    const blind = world.standIn.faults.add({ method: "GET", path: /^\/\d+$/, do: "gone", times: 1_000 });
    const { id } = await publish.draft(world.order({ publishAt: "in 2 days" }));
    await publish.submit(id, ADA);
    await world.advanceUntil(() => finish.hits === 1);
    await guilds.left(GUILD);
    expect(await publish.find(id)).toMatchObject({ state: "uploading", left: "left" });
    blind.remove();
    expect(await world.settle(id)).toMatchObject({ state: "cancelled", stopReason: "left" });
    expect(world.videos()).toEqual([]);
  });

  it("has nothing stopped any more that was to be when it returned", async () => {
    const world = await openPublishWorld({ upload: "chunked" });
    const { publish, guilds } = world.begin();
    const finish = world.standIn.faults.add({ method: "POST", path: /\/videos\/finish$/, do: "drop-after" });
    const blind = world.standIn.faults.add({ method: "GET", path: /^\/\d+$/, do: "gone", times: 1_000 });
    const { id, publishAtMs } = await publish.draft(world.order({ publishAt: "in 2 days" }));
    await publish.submit(id, ADA);
    await world.advanceUntil(() => finish.hits === 1);
    await guilds.left(GUILD);
    await guilds.returned([GUILD]);
    expect(await publish.find(id)).toMatchObject({ state: "uploading", isStopping: false });
    blind.remove();
    await world.advanceUntil(async () => (await world.row(id)).state === "scheduled");
    expect(world.videos()).toMatchObject([{ publishAtMs }]);
  });

  it("keeps at the service what turned out to have reached an account of its own", async () => {
    const world = await openPublishWorld({ upload: "chunked" });
    const token = world.standIn.tokens.page;
    world.accounts.current = { key: "page:1", account: { token }, name: "Hall" };
    const { publish, guilds } = world.begin();
    const finish = world.standIn.faults.add({ method: "POST", path: /\/videos\/finish$/, do: "drop-after" });
    const blind = world.standIn.faults.add({ method: "GET", path: /^\/\d+$/, do: "gone", times: 1_000 });
    const { id, publishAtMs } = await publish.draft(world.order({ publishAt: "in 2 days" }));
    await publish.submit(id, ADA);
    await world.advanceUntil(() => finish.hits === 1);
    await guilds.left(GUILD);
    blind.remove();
    await world.advanceUntil(async () => (await world.row(id)).state === "scheduled");
    await guilds.returned([GUILD]);
    expect(await world.row(id)).toMatchObject({ state: "scheduled", stopReason: undefined });
    expect(world.videos()).toMatchObject([{ publishAtMs }]);
  });

  it("has looked for once more, and cancelled, what nobody knew whether the service has it", async () => {
    const { world, life, id, findsIt } = await withUnknownOutcome();
    await life.guilds.left(GUILD);
    findsIt();
    expect(await world.settle(id)).toMatchObject({ state: "cancelled", stopReason: "left" });
    expect(world.videos()).toEqual([]);
  });

  it("has deleted what may be there though it was never found, and looked for only once", async () => {
    const { world, life, id, findsIt } = await withUnknownOutcome();
    await life.guilds.left(GUILD);
    expect(await world.settle(id)).toMatchObject({ state: "outcome-unknown" });
    await life.guilds.left(GUILD);
    expect(await world.row(id)).toMatchObject({ state: "outcome-unknown" });
    findsIt();
    expect(await life.guilds.erasing(GUILD, isStillDue)).toBe(true);
    expect(world.videos()).toEqual([]);
  });

  it("leaves that in doubt where it returns, for its people to say", async () => {
    const { world, life, id } = await withUnknownOutcome();
    await life.guilds.left(GUILD);
    await world.settle(id);
    await life.guilds.returned([GUILD]);
    expect(await life.publish.find(id)).toMatchObject({ state: "outcome-unknown", left: undefined });
  });

  it("is offered it though nobody remembers any more that it had left, and no other server is", async () => {
    const { world, life, id } = await scheduled();
    await life.guilds.left(GUILD);
    await world.settle(id);
    await life.guilds.returned(["another"]);
    expect(await world.row(id)).toMatchObject({ stopReason: "left" });
    await life.guilds.returned(["another", GUILD]);
    expect(await world.row(id)).toMatchObject({ stopReason: "returned" });
  });

  it("has nothing deleted any more once it is back", async () => {
    const { world, life } = await scheduled();
    await life.guilds.left(GUILD);
    expect(await life.guilds.erasing(GUILD, async () => false)).toBe(false);
    expect(world.videos()).toHaveLength(1);
  });

  it("keeps what is out, and what others have to approve", async () => {
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

import { describe, expect, it } from "vitest";
import { ADA, CHANNEL, GUILD, openPublishWorld } from "../../support/publish-world.ts";
import { until } from "../../support/until.ts";

const HOUR_MS = 3_600_000;
const NOTE = "I was removed from the server";
const isStillDue = async () => true;

/** A server whose video goes out in two days, by the service. */
async function scheduled(publishAt = "in 2 days") {
  const world = await openPublishWorld({ upload: "simple" });
  const life = world.begin();
  const { id, publishAtMs = 0 } = await life.publish.draft(world.order({ publishAt }));
  await life.publish.submit(id, ADA);
  await world.turnUntil(async () => (await world.row(id)).state === "scheduled");
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

  it("has what waits for its time cancelled at the service, and is told when it is back", async () => {
    const { world, life, id, publishAtMs, actsSince } = await scheduled();
    await life.guilds.left(GUILD);
    await world.turnUntil(() => world.videos().length === 0);
    expect(await world.settle(id)).toMatchObject({
      state: "cancelled",
      stopReason: "left",
      title: "Opening day",
      publishAtMs,
      fileUrl: undefined,
    });
    await life.guilds.left(GUILD);
    await expect(life.publish.retry(id, ADA)).rejects.toThrow("can't be sent again");
    await life.guilds.returned([GUILD]);
    expect(await world.settle(id)).toMatchObject({ state: "cancelled", stopReason: "returned" });
    expect(world.told()).toHaveLength(1);
    await expect(life.publish.retry(id, ADA)).rejects.toThrow("attach the video again");
    await expect(life.publish.edit(id, { title: "Another" }, ADA)).rejects.toThrow("attach the video again");
    expect(await actsSince()).toEqual(["cancelled"]);
  });

  it("is told in a message of its own where the bot could not write while it was away", async () => {
    const { world, life, id } = await scheduled();
    world.discord.gone.add(CHANNEL);
    world.discord.gone.add(ADA.userId);
    await life.guilds.left(GUILD);
    await world.turnUntil(async () => {
      const { shownHash, claimedUntilMs } = await world.row(id);
      return shownHash === "unwanted" && claimedUntilMs === undefined;
    });
    world.discord.gone.clear();
    await world.clock.advance(HOUR_MS);
    await life.guilds.returned([GUILD]);
    await life.guilds.returned([GUILD]);
    await world.settle(id);
    const { channelId } = await world.row(id);
    expect(world.told(channelId).at(-1)).toBe("publication, cancelled, Opening day");
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
    await world.turnUntil(() => slow.met === 1);
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
    await world.turnUntil(() => finish.met === 1);
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
    await world.turnUntil(() => finish.met === 1);
    await guilds.left(GUILD);
    await guilds.returned([GUILD]);
    expect(await publish.find(id)).toMatchObject({ state: "uploading", isStopping: false });
    blind.remove();
    await world.turnUntil(async () => (await world.row(id)).state === "scheduled");
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
    await world.turnUntil(() => finish.met === 1);
    await guilds.left(GUILD);
    blind.remove();
    await world.turnUntil(async () => (await world.row(id)).state === "scheduled");
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

  it("is told though nobody remembers any more that it had left, and no other server is", async () => {
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

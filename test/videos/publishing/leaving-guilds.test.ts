import { describe, expect, it } from "vitest";
import { ADA, GUILD, START_MS, openPublishWorld } from "../../support/publish-world.ts";
import { until } from "../../support/until.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NOTE = "I was removed from the server";
const isStillDue = async () => true;

/** A server whose video goes out in two days, by the service. */
async function scheduled(publishAt = "in 2 days") {
  const world = await openPublishWorld({ upload: "simple" });
  const life = world.begin();
  const { id, publishAtMs = 0 } = await life.publish.draft(world.order({ publishAt }));
  await life.publish.submit(id, ADA);
  await world.turnUntil(async () => (await world.row(id)).state === "scheduled");
  const atService = () => world.videos()[0]?.publishAtMs;
  const actsSince = async () => (await world.acts()).slice(2);
  const rests = () => world.turnUntil(async () => (await world.row(id)).claimedUntilMs === undefined);
  return { world, life, id, publishAtMs, atService, actsSince, rests };
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
    expect(await publish.find(id)).toMatchObject({ hasLeft: true });
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
    expect(await publish.find(id)).toMatchObject({ hasLeft: true });
    expect(world.videos()).toEqual([]);
    expect(await rules.auditEntries(GUILD, { limit: 1 })).toMatchObject([{ act: "cancelled", note: NOTE }]);
  });

  it("has what waits for its time put off, and put back when it returns, however often", async () => {
    const { world, life, id, publishAtMs, atService, actsSince, rests } = await scheduled();
    for (let times = 0; times < 2; times += 1) {
      await life.guilds.left(GUILD);
      await world.turnUntil(() => atService() !== publishAtMs);
      expect(atService()).toBeGreaterThan(world.clock.now() + 13 * DAY_MS);
      await rests();
      await life.guilds.left(GUILD);
      expect(await world.row(id)).toMatchObject({ state: "scheduled", publishAtMs, nextAtMs: undefined });
      await life.guilds.returned([GUILD]);
      await world.turnUntil(() => atService() === publishAtMs);
      await rests();
    }
    expect(await actsSince()).toEqual(["put-off", "put-back", "put-off", "put-back"]);
    await world.turnUntil(async () => (await world.row(id)).state === "published", 3 * DAY_MS);
    expect(world.clock.now()).toBeGreaterThanOrEqual(publishAtMs);
  });

  it("does not have it published behind its back where it returns too late; its message says when it is", async () => {
    const { world, life, id, publishAtMs, atService, rests } = await scheduled();
    await life.guilds.left(GUILD);
    await world.turnUntil(() => atService() !== publishAtMs);
    await rests();
    await world.clock.advance(3 * DAY_MS);
    expect(await world.row(id)).toMatchObject({ state: "scheduled" });
    await life.guilds.returned([GUILD]);
    await world.turnUntil(async () => (await world.row(id)).publishAtMs === atService());
    expect(await world.row(id)).toMatchObject({ state: "scheduled", problem: undefined });
  });

  it("has it put off though the answer was lost, or the service is away for a while", async () => {
    const { world, life, publishAtMs, atService, actsSince, rests } = await scheduled();
    const write = { method: "POST", path: /^\/\d+$/ } as const;
    world.standIn.faults.add({ ...write, do: "500" });
    world.standIn.faults.add({ ...write, do: "drop-after" });
    await life.guilds.left(GUILD);
    await world.turnUntil(() => atService() !== publishAtMs);
    await rests();
    await world.turnUntil(
      async () => (await actsSince()).length > 0 || world.clock.now() > START_MS + HOUR_MS,
    );
    expect(atService()).toBeGreaterThan(world.clock.now() + 13 * DAY_MS);
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

  it("has what is put off deleted, too, when its own time has passed", async () => {
    const { world, life, publishAtMs, atService, rests } = await scheduled();
    await life.guilds.left(GUILD);
    await world.turnUntil(() => atService() !== publishAtMs);
    await rests();
    await world.clock.advance(7 * DAY_MS);
    expect(await life.guilds.erasing(GUILD, isStillDue)).toBe(true);
    expect(world.videos()).toEqual([]);
  });

  it("has put off what could no longer be stopped and is to come out later", async () => {
    const world = await openPublishWorld({ upload: "chunked" });
    const { publish, guilds } = world.begin();
    const finish = world.standIn.faults.add({ method: "POST", path: /\/videos\/finish$/, do: "drop-after" });
    const blind = world.standIn.faults.add({ method: "GET", path: /^\/\d+$/, do: "gone", times: 1_000 });
    const { id, publishAtMs = 0 } = await publish.draft(world.order({ publishAt: "in 2 days" }));
    await publish.submit(id, ADA);
    await world.turnUntil(() => finish.met === 1);
    await guilds.left(GUILD);
    expect(await publish.find(id)).toMatchObject({ state: "uploading", hasLeft: true });
    blind.remove();
    await world.turnUntil(() => (world.videos()[0]?.publishAtMs ?? 0) > publishAtMs);
    expect(await world.row(id)).toMatchObject({ state: "scheduled", publishAtMs });
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

  it("has looked for once more, and put off, what nobody knew whether the service has it", async () => {
    const { world, life, id, publishAtMs, findsIt } = await withUnknownOutcome();
    await life.guilds.left(GUILD);
    findsIt();
    await world.turnUntil(() => (world.videos()[0]?.publishAtMs ?? 0) > publishAtMs);
    await world.turnUntil(async () => (await world.row(id)).claimedUntilMs === undefined);
    expect(await world.row(id)).toMatchObject({ state: "scheduled", publishAtMs });
    await life.guilds.returned([GUILD]);
    await world.turnUntil(() => world.videos()[0]?.publishAtMs === publishAtMs);
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
    expect(await life.publish.find(id)).toMatchObject({ state: "outcome-unknown", hasLeft: false });
  });

  it("is put back though nobody remembers any more that it had left, and no other server is", async () => {
    const { world, life, publishAtMs, atService, rests } = await scheduled();
    await life.guilds.left(GUILD);
    await world.turnUntil(() => atService() !== publishAtMs);
    await rests();
    await life.guilds.returned(["another"]);
    await rests();
    expect(atService()).not.toBe(publishAtMs);
    await life.guilds.returned(["another", GUILD]);
    await world.turnUntil(() => atService() === publishAtMs);
  });

  it("keeps its own time where it returns too late and the service names none", async () => {
    const { world, life, id, publishAtMs, atService, rests } = await scheduled();
    await life.guilds.left(GUILD);
    await world.turnUntil(() => atService() !== publishAtMs);
    await rests();
    await world.clock.advance(2 * DAY_MS + HOUR_MS);
    const [video] = world.videos();
    if (video === undefined) {
      throw new Error("the service has lost it");
    }
    Object.assign(video, { publishAtMs: undefined });
    await life.guilds.returned([GUILD]);
    await world.turnUntil(async () => (await world.row(id)).problem?.includes("away") !== true);
    expect(await world.row(id)).toMatchObject({ state: "scheduled", publishAtMs });
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

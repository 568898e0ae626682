import { describe, expect, it } from "vitest";
import { ADA, CHANNEL, GRACE, GUILD, openPublishWorld } from "../../support/publish-world.ts";
import { ServiceError } from "../../../src/core/errors.ts";
import { until } from "../../support/until.ts";

const APPROVERS = "1002";

async function submitted() {
  const world = await openPublishWorld({ upload: "simple" });
  const life = world.begin();
  const { id } = await life.publish.draft(world.order());
  return { world, life, id, submit: () => life.publish.submit(id, ADA) };
}

/** Makes the first calls of a verb in the channel fail with these faults. */
function failing(world: Awaited<ReturnType<typeof openPublishWorld>>, verb: string, ...faults: Fault[]) {
  world.discord.fault = (called, channelId) =>
    called === verb && channelId === CHANNEL ? faults.shift() : undefined;
}
type Fault = ReturnType<Awaited<ReturnType<typeof openPublishWorld>>["discord"]["fault"]>;

describe("a publication's message", () => {
  it.each(["answer-lost", "happens-late", "unavailable", "slow-down", "outcome-unknown"] as const)(
    "is posted once, whatever happens to the first post (%s)",
    async (fault) => {
      const { world, id, submit } = await submitted();
      failing(world, "post", fault);
      await submit();
      await world.settle(id);
      await world.clock.advance(60_000);
      expect(world.told()).toEqual([expect.stringContaining("published")]);
      expect(world.discord.messages.every(({ silent }) => silent)).toBe(true);
    },
  );

  it.each(["answer-lost", "unavailable", "slow-down"] as const)(
    "is updated after an edit has failed (%s)",
    async (fault) => {
      const { world, id, submit } = await submitted();
      failing(world, "edit", fault, fault);
      await submit();
      await world.settle(id);
      expect(world.told()).toEqual([expect.stringContaining("published")]);
    },
  );

  it("is updated within seconds after the database was unavailable while it was rendered", async () => {
    const { world, id, submit } = await submitted();
    const { videoRecords } = world.database;
    const settings = videoRecords.settings.bind(videoRecords);
    let isAway = false;
    videoRecords.settings = async (guildId) => {
      const { state } = await world.row(id);
      if (state === "published" && !isAway) {
        isAway = true;
        throw new ServiceError("storage", "unavailable", "the database is unavailable");
      }
      return settings(guildId);
    };
    await submit();
    await world.advanceUntil(() => isAway);
    expect(world.told()).not.toEqual([expect.stringContaining("published")]);
    const awayAtMs = world.clock.now();
    await world.advanceUntil(() => world.told()[0]?.includes("published") === true);
    expect(world.clock.now() - awayAtMs).toBeLessThan(30_000);
  });

  it("is edited again after an edit whose answer was lost, even back to the earlier text", async () => {
    const { world, life, id, submit } = await submitted();
    world.standIn.faults.add({ path: /\/videos\/simple$/, do: "permission", times: 2 });
    await submit();
    await world.settle(id);
    const [failed] = world.told();
    // The message shows the second attempt, but that answer is lost; then the attempt fails like the first.
    failing(world, "edit", "answer-lost");
    await life.publish.retry(id, ADA);
    await world.settle(id);
    expect(world.told()).toEqual([failed]);
  });

  it("shows what somebody changed while it was posted", async () => {
    const world = await openPublishWorld({ upload: "simple" });
    const drafting = world.begin();
    await drafting.rules.change(GUILD, { approvalChannelId: APPROVERS }, ADA);
    const { id } = await drafting.publish.draft(world.order());
    drafting.end();
    const { messenger } = world.discord;
    const edits = [() => world.begin().publish.edit(id, { title: "Closing day" }, ADA)];
    world.discord.messenger = (die) => {
      const plain = messenger(die);
      return {
        ...plain,
        async post(channelId, reply, options) {
          const posted = await plain.post(channelId, reply, options);
          await edits.pop()?.();
          return posted;
        },
      };
    };
    await world.begin().publish.submit(id, ADA);
    await world.advanceUntil(async () => ((await world.row(id)).nextAtMs ?? 0) > world.clock.now() + 60_000);
    expect(world.told()).toEqual(["publication, awaiting-approval, Closing day"]);
    expect(world.told(APPROVERS)).toEqual(["approve?, awaiting-approval, Closing day"]);
  });

  it("is not posted again if somebody has deleted it, but the video is published", async () => {
    const { world, id, submit } = await submitted();
    world.files.holdAfterBytes = 10_000;
    await submit();
    await until(() => world.told().length === 1);
    const [message] = world.discord.messages;
    await world.discord.messenger().delete({ channelId: CHANNEL, messageId: message?.messageId ?? "" });
    world.files.holdAfterBytes = undefined;
    world.files.letGo();
    expect(await world.settle(id)).toMatchObject({ state: "published", messageId: undefined });
    expect(world.told()).toEqual([]);
  });

  it("is finally sent to the submitter if the bot may not write in the channel", async () => {
    const { world, id, submit } = await submitted();
    world.discord.fault = (verb, channelId) =>
      verb === "post" && channelId === CHANNEL ? "not-allowed" : undefined;
    await submit();
    expect(await world.settle(id)).toMatchObject({ state: "published", channelId: ADA.userId });
    expect(world.told()).toEqual([]);
    expect(world.told(ADA.userId)).toEqual([expect.stringContaining("published")]);
  });

  it("waits until a short timeout of the bot ends", async () => {
    const { world, id, submit } = await submitted();
    const { discord, clock } = world;
    const endMs = clock.now() + 10 * 60_000;
    discord.timedOutUntilMs = endMs;
    discord.fault = (verb, channelId) =>
      (verb === "post" || verb === "edit") && channelId === CHANNEL && clock.now() < endMs
        ? "not-allowed"
        : undefined;
    await submit();
    expect(await world.settle(id)).toMatchObject({ state: "published", channelId: CHANNEL });
    expect(world.told()).toEqual([expect.stringContaining("published")]);
    expect(world.told(ADA.userId)).toEqual([]);
  });

  it("is given up if the submitter accepts no direct messages either", async () => {
    const { world, id, submit } = await submitted();
    world.discord.fault = (verb, channelId) =>
      verb === "post" ? (channelId === CHANNEL ? "channel-gone" : "dm-closed") : undefined;
    await submit();
    expect(await world.settle(id)).toMatchObject({ state: "published" });
    expect(world.discord.messages).toEqual([]);
  });

  it("does not delay the video while Discord is unavailable", async () => {
    const { world, id, submit } = await submitted();
    world.discord.fault = () => "unavailable";
    await submit();
    await world.advanceUntil(async () => (await world.row(id)).state === "published");
    expect(world.told()).toEqual([]);
    world.discord.fault = () => undefined;
    await world.settle(id);
    expect(world.told()).toEqual([expect.stringContaining("published")]);
  });
});

describe("the message that asks for approval", () => {
  it.each(["answer-lost", "happens-late", "unavailable"] as const)(
    "is posted once, whatever happens to the first post (%s)",
    async (fault) => {
      const { world, life, id, submit } = await submitted();
      await life.rules.change(GUILD, { approvalChannelId: APPROVERS }, ADA);
      const faults: Fault[] = [fault];
      world.discord.fault = (verb, channelId) =>
        verb === "post" && channelId === APPROVERS ? faults.shift() : undefined;
      await submit();
      await world.advanceUntil(async () => (await world.row(id)).approvalMessageId !== undefined);
      await world.clock.advance(60_000);
      await life.publish.approve(id, GRACE);
      await world.settle(id);
      expect(world.told(APPROVERS)).toEqual([expect.stringMatching(/^approve\?, published/)]);
    },
  );

  it.each([
    ["answer-lost", "approve", "published"],
    ["happens-late", "approve", "published"],
    ["answer-lost", "refuse", "refused"],
    ["answer-lost", "cancel", "cancelled"],
  ] as const)("says what was decided before its id was known (%s, %s)", async (fault, decision, state) => {
    const { world, life, id, submit } = await submitted();
    await life.rules.change(GUILD, { approvalChannelId: APPROVERS }, ADA);
    let isDecided = false;
    const faults: Fault[] = [fault];
    world.discord.fault = (verb, channelId) => {
      if (channelId !== APPROVERS || isDecided) {
        return undefined;
      }
      return verb === "post" ? faults.shift() : faults.length === 0 ? "unavailable" : undefined;
    };
    await submit();
    await until(() => faults.length === 0);
    const { publish } = life;
    await (decision === "cancel"
      ? publish.cancel(id, ADA)
      : decision === "approve"
        ? publish.approve(id, GRACE)
        : publish.refuse(id, "", GRACE));
    isDecided = true;
    await world.settle(id);
    await world.advanceUntil(() => world.told(APPROVERS)[0]?.startsWith(`approve?, ${state}`) === true);
    expect(world.told(APPROVERS)).toEqual([expect.stringMatching(new RegExp(`^approve\\?, ${state}`))]);
  });

  it("is not posted after the decision", async () => {
    const { world, life, id, submit } = await submitted();
    await life.rules.change(GUILD, { approvalChannelId: APPROVERS }, ADA);
    let posts = 0;
    world.discord.fault = (verb, channelId) => {
      const isIt = verb === "post" && channelId === APPROVERS;
      posts += isIt ? 1 : 0;
      return isIt ? "unavailable" : undefined;
    };
    await submit();
    await until(() => posts > 0);
    await life.publish.cancel(id, ADA);
    world.discord.fault = () => undefined;
    await world.settle(id);
    await world.clock.advance(600_000);
    expect(world.told(APPROVERS)).toEqual([]);
  });

  it("is separate from the publication's own message in the same channel", async () => {
    const { world, life, id, submit } = await submitted();
    await life.rules.change(GUILD, { approvalChannelId: CHANNEL }, ADA);
    failing(world, "post", "answer-lost", "answer-lost");
    await submit();
    await world.advanceUntil(async () => (await world.row(id)).approvalMessageId !== undefined);
    await life.publish.refuse(id, "", GRACE);
    await world.settle(id);
    expect(world.told().toSorted()).toEqual([
      "approve?, refused, Opening day",
      "publication, refused, Opening day",
    ]);
  });

  it("if it cannot be posted, is reported as missing in the publication's own message", async () => {
    const { world, submit, life } = await submitted();
    await life.rules.change(GUILD, { approvalChannelId: APPROVERS }, ADA);
    world.discord.fault = (_verb, channelId) => (channelId === APPROVERS ? "not-allowed" : undefined);
    await submit();
    await world.advanceUntil(() => world.told()[0]?.includes("problem discord") === true);
    expect(world.told()).toEqual([
      "publication, awaiting-approval, Opening day, problem discord not-permitted",
    ]);
  });
});

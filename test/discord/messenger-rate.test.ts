import { Routes } from "discord.js";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { openDatabase } from "../../src/database.ts";
import { findPostgres } from "../support/databases.ts";
import { hello, openMessenger, outcomeOf } from "./open-messenger.ts";

const log = createLog({ level: "silent", secrets: [] });
const postgres = await findPostgres();

describe("many messages at once", () => {
  it("never pass 50 in a second, and meet no limit", async () => {
    await using scene = await openMessenger();
    const { discord, messenger } = scene;
    const channels = Array.from({ length: 50 }, (_, index) =>
      discord.addChannel(discord.community.guild, `board-${index}`),
    );
    // One after another, each channel a message, so that each channel's bucket has room.
    const posting = Array.from({ length: 150 }, (_, index) =>
      outcomeOf(messenger.post(channels[index % 50]?.id ?? "", hello, { nonce: `n${index}` })),
    );
    expect(new Set(await Promise.all(posting))).toEqual(new Set(["sent"]));
    expect(discord.limits.busiestSecond).toBeLessThanOrEqual(50);
    expect(discord.limits.refused).toEqual({ user: 0, global: 0, shared: 0, ban: 0 });
  });

  it.skipIf(postgres.missing !== undefined)(
    "never pass 50 in a second together where several processes send them",
    async () => {
      await using open = new AsyncDisposableStack();
      const { url } = open.use(await postgres.create());
      const { requestRate, close } = await openDatabase({ url, clock: systemClock, log });
      open.defer(close);
      if (requestRate === undefined) {
        throw new Error("processes that share a database agree on nothing");
      }
      await using scene = await openMessenger({ requestRate });
      const { discord } = scene;
      const messengers = [scene.messenger, scene.beside(), scene.beside()];
      const posting = messengers.flatMap((messenger, process) =>
        Array.from({ length: 40 }, (_, index) => {
          const { id } = discord.addChannel(discord.community.guild, `board-${process}-${index}`);
          return outcomeOf(messenger.post(id, hello, { nonce: `n${process}-${index}` }));
        }),
      );
      expect(new Set(await Promise.all(posting))).toEqual(new Set(["sent"]));
      expect(discord.limits.busiestSecond).toBeLessThanOrEqual(50);
      expect(discord.limits.refused).toEqual({ user: 0, global: 0, shared: 0, ban: 0 });
      await scene[Symbol.asyncDispose]();
    },
  );

  it("never pass 50 in a second with what else the bot asks, and hold up no answer", async () => {
    await using scene = await openMessenger();
    const { discord, messenger, rest } = scene;
    const channels = Array.from({ length: 30 }, (_, index) =>
      discord.addChannel(discord.community.guild, `board-${index}`),
    );
    const posting = channels.map(({ id }, index) => messenger.post(id, hello, { nonce: `n${index}` }));
    const reading = channels.map(({ id }) => rest.get(Routes.channel(id)));
    let isRead = false;
    const asking = Promise.all([...posting, ...reading]).then(() => (isRead = true));
    await rest.get(Routes.gateway(), { auth: false });
    expect(isRead).toBe(false);
    await asking;
    expect(discord.limits.busiestSecond).toBeLessThanOrEqual(50);
  });

  it("hold nothing up that somebody waits for", async () => {
    await using scene = await openMessenger();
    const { discord, messenger } = scene;
    const { guild } = discord.community;
    let sent = 0;
    const posting = Array.from({ length: 60 }, async (_, index) => {
      const { id } = discord.addChannel(guild, `board-${index}`);
      await messenger.post(id, hello, { nonce: `n${index}` });
      sent += 1;
    });
    await messenger.dm(discord.member("Alan").id, hello, { nonce: "dm" });
    await messenger.mayManage(guild.id, discord.member("Alan").id);
    expect(sent).toBeLessThan(60);
    await Promise.all(posting);
  });

  it("are not sent where they waited so long that nobody would know them for a second", async () => {
    await using scene = await openMessenger();
    const { discord, messenger } = scene;
    const posting = Array.from({ length: 150 }, (_, index) => {
      const { id } = discord.addChannel(discord.community.guild, `board-${index}`);
      return outcomeOf(messenger.post(id, hello, { nonce: `n${index}` }));
    });
    await Promise.race(posting);
    // As where the machine slept: another process has long sent them, and Discord has forgotten the nonces.
    scene.sleep(2 * 60_000 + 1);
    const outcomes = await Promise.all(posting);
    expect(new Set(outcomes)).toEqual(new Set(["sent", "unavailable"]));
    const sent = discord.requests.filter(({ status }) => status === 200);
    expect(sent).toHaveLength(outcomes.filter((outcome) => outcome === "sent").length);
  });
});

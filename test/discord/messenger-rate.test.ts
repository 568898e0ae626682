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
  it("never exceed 50 in a second or meet a rate limit", async () => {
    await using scene = await openMessenger();
    const { discord, messenger } = scene;
    const channels = Array.from({ length: 50 }, (_, index) =>
      discord.addChannel(discord.community.guild, `board-${index}`),
    );
    // The messages go to the channels in turn, so that no channel's bucket is full.
    const posting = Array.from({ length: 150 }, (_, index) =>
      outcomeOf(messenger.post(channels[index % 50]?.id ?? "", hello, { nonce: `n${index}` })),
    );
    expect(new Set(await Promise.all(posting))).toEqual(new Set(["sent"]));
    expect(discord.limits.busiestSecond).toBeLessThanOrEqual(50);
    expect(discord.limits.refused).toEqual({ user: 0, global: 0, shared: 0, ban: 0 });
  });

  it.skipIf(postgres.missing !== undefined)(
    "of several processes together never exceed 50 in a second",
    async () => {
      await using open = new AsyncDisposableStack();
      const { url } = open.use(await postgres.create());
      const { requestRate, close } = await openDatabase({ url, clock: systemClock, log });
      open.defer(close);
      if (requestRate === undefined) {
        throw new Error("a PostgreSQL database must have a shared request rate");
      }
      await using scene = await openMessenger({ requestRate });
      const { discord } = scene;
      const messengers = [scene.messenger, scene.startOther(), scene.startOther()];
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

  it("never exceed 50 in a second together with the bot's other requests, and delay no answer", async () => {
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

  it("do not delay requests for which somebody waits", async () => {
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

  it("are not sent if they have waited so long that Discord would not recognise duplicates", async () => {
    await using scene = await openMessenger();
    const { discord, messenger } = scene;
    const posting = Array.from({ length: 150 }, (_, index) => {
      const { id } = discord.addChannel(discord.community.guild, `board-${index}`);
      return outcomeOf(messenger.post(id, hello, { nonce: `n${index}` }));
    });
    await Promise.race(posting);
    // E.g. the machine slept. Another process may have sent them long ago, and Discord has forgotten the nonces.
    scene.sleep(2 * 60_000 + 1);
    const outcomes = await Promise.all(posting);
    expect(new Set(outcomes)).toEqual(new Set(["sent", "unavailable"]));
    const sent = discord.requests.filter(({ status }) => status === 200);
    expect(sent).toHaveLength(outcomes.filter((outcome) => outcome === "sent").length);
  });
});

// What happens to boards in a community: channels, threads and messages are deleted, permissions are revoked, people
// accept no direct messages, a server removes the bot and invites it again, and a board publishes more than Discord
// allows.
import { MessageFlags, PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import type { SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import type { Channel } from "../../sandbox/discord/entities.ts";
import { deleteMessage } from "../../sandbox/discord/rules/messages.ts";
import { startThread } from "../../sandbox/discord/rules/threads.ts";
import type { World } from "../../sandbox/world.ts";
import { openBoardCard, subscribeBoard, watchBoardPosts, type BoardPost } from "../support/board-posts.ts";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";
import { inviteAgain } from "../support/servers.ts";

reportChecks();

const MINUTE_MS = 60_000;

/** Advances the clock by this many minutes, with a tick after each. */
async function tickMinutes(world: World, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    await world.clock.advance(MINUTE_MS);
    await world.tick();
  }
}

const minuteOf = ({ slotMs }: BoardPost): string => new Date(slotMs).toISOString().slice(11, 16);

/** The messages that the bot sent to somebody without being asked. */
function noticesOf(world: World, name: string): readonly SeenMessage[] {
  const member = world.member(name);
  return member.messages(member.dm()).filter(({ ephemeral }) => !ephemeral);
}

function deleteChannel({ discord, guild }: World, channel: Channel): void {
  guild.channels.delete(channel.id);
  discord.state.channels.delete(channel.id);
  discord.changes.emit({ type: "channel-deleted", channel });
}

/** Denies the bot a permission in a channel. */
function deny({ discord }: World, channel: Channel, right: bigint): void {
  channel.overwrites.push({ id: discord.applicationId, kind: 1, allow: 0n, deny: right });
}

describe("a board whose channel is gone or archived", () => {
  it("is reported to its subscriber, and can resume in another channel", async () => {
    await using world = await openCheckedWorld();
    const posts = watchBoardPosts(world);
    const grace = world.member("Grace");
    const doomed = world.discord.addChannel(world.guild, "doomed");
    const options = { station: "York", every: "5 minutes", view: "text" };
    const id = await subscribeBoard(world, doomed, options);
    await tickMinutes(world, 5);
    deleteChannel(world, doomed);
    await tickMinutes(world, 10);

    const notices = noticesOf(world, "Grace");
    expect(notices.map(({ text }) => text)).toEqual([expect.stringMatching(/York.* is paused\n/)]);
    const [notice] = notices;
    const tried = notice && (await grace.click(notice, "Try again"));
    expect(tried?.text).toMatch(/I can't see /);

    const card = await openBoardCard(world, id, world.channels.trains);
    expect((await grace.click(card, "Resume here")).text).toMatch(/It's running in/);
    await tickMinutes(world, 10);
    expect(posts.ever.map((post) => `${minuteOf(post)} ${post.message.channelId}`)).toEqual([
      `17:20 ${doomed.id}`,
      `17:40 ${world.channels.trains.id}`,
    ]);
    expect(noticesOf(world, "Grace")).toHaveLength(1);
  });

  it("is reported in the server's notice channel if its subscriber accepts no DMs, and can be moved there", async () => {
    await using world = await openCheckedWorld();
    const { trains, general } = world.channels;
    const posts = watchBoardPosts(world);
    await subscribeBoard(world, trains, { station: "York", mode: "post", every: "5 minutes", view: "text" });
    world.discord.setDirectMessages("Grace", false);
    deny(world, trains, PermissionFlagsBits.ViewChannel);
    await tickMinutes(world, 10);

    const notices = world.member("Mary").messages(general);
    expect(notices.map(({ text }) => text)).toEqual([expect.stringMatching(/is paused\n/)]);
    const [notice] = notices;
    if (notice === undefined) {
      return;
    }
    expect((await world.member("Mary").click(notice, "Try again")).text).toMatch(
      /don't have permission to do that/,
    );
    const tried = await world.member("Ada").click(notice, "Try again");
    expect(tried.text).toMatch(/I can't see /);
    const moved = await world.member("Ada").click(tried.message, "In this channel instead");
    expect(moved.text).toMatch(/is running again in/);
    await tickMinutes(world, 5);
    expect(posts.ever.map((post) => `${minuteOf(post)} ${post.message.channelId}`)).toEqual([
      `17:35 ${general.id}`,
    ]);
  });

  it.each(["edit", "replace", "post"] as const)(
    "continues in a thread that was archived for inactivity (%s)",
    async (mode) => {
      await using world = await openCheckedWorld();
      const posts = watchBoardPosts(world);
      const thread = startThread(world.discord.platform, world.channels.trains, 60);
      const id = await subscribeBoard(world, world.channels.trains, {
        station: "York",
        mode,
        at: "17:30, 18:45",
        view: "text",
        channel: thread,
      });
      await tickMinutes(world, 90);
      const standing = posts.standing(id);
      expect(standing.map(minuteOf)).toEqual(
        { edit: ["17:20"], replace: ["18:45"], post: ["17:20", "17:30", "18:45"] }[mode],
      );
      expect(standing.at(-1)?.message.editedAtMs).toBe(
        mode === "edit" ? Date.parse("2026-11-18T18:45:00Z") : undefined,
      );
      expect(noticesOf(world, "Grace")).toEqual([]);
    },
  );
});

describe("a board whose message was deleted", () => {
  it.each(["edit", "replace"] as const)("gets a new message at its next slot (%s)", async (mode) => {
    await using world = await openCheckedWorld();
    const { trains } = world.channels;
    const posts = watchBoardPosts(world);
    const id = await subscribeBoard(world, trains, {
      station: "York",
      mode,
      every: "10 minutes",
      view: "text",
    });
    await tickMinutes(world, 10);
    for (const { message } of posts.standing(id)) {
      deleteMessage(world.discord.platform, trains, message);
    }
    await tickMinutes(world, 20);
    expect(posts.standing(id)).toHaveLength(1);
    expect(posts.ever.map(minuteOf)).toEqual(
      mode === "edit" ? ["17:20", "17:40"] : ["17:20", "17:30", "17:40", "17:50"],
    );
  });
});

describe("a server that removes the bot", () => {
  it("gets no requests, and its boards continue when it invites the bot again", async () => {
    await using world = await openCheckedWorld();
    const { discord, guild, channels } = world;
    const posts = watchBoardPosts(world);
    const options = { station: "York", mode: "post", every: "5 minutes", view: "text" };
    const id = await subscribeBoard(world, channels.trains, options);
    await tickMinutes(world, 5);
    const told = (what: string) => world.bot.log.some((line) => line.includes(what));

    discord.removeGuild(guild);
    await expect.poll(() => told("server left; data")).toBe(true);
    const asked = discord.requests.length;
    const calls = world.transport.ledger.length;
    await tickMinutes(world, 21);
    expect(discord.requests.slice(asked)).toEqual([]);
    expect(world.transport.ledger).toHaveLength(calls);

    inviteAgain(world, guild);
    await expect.poll(async () => (await openBoardCard(world, id)).text).toMatch(/York/);
    await tickMinutes(world, 10);
    expect(posts.ever.map(minuteOf)).toEqual(["17:20", "17:25", "17:45", "17:50", "17:55"]);
    expect((await openBoardCard(world, id)).text).toMatch(/17:30–17:40 · 3 × missed, because I was offline/);
  });
});

describe("a board that publishes", () => {
  it("publishes ten messages an hour, and the next once the first is an hour old", async () => {
    await using world = await openCheckedWorld();
    const { news, staff } = world.channels;
    const posts = watchBoardPosts(world);
    const options = { station: "York", every: "5 minutes", view: "text", channel: news, publish: true };
    await subscribeBoard(world, staff, options);
    await tickMinutes(world, 70);
    const isPublished = ({ message: { flags } }: BoardPost) => (flags & MessageFlags.Crossposted) !== 0;
    const first = ["17:20", "17:25", "17:30", "17:35", "17:40", "17:45", "17:50", "17:55", "18:00", "18:05"];
    expect(posts.ever.map(minuteOf)).toEqual([...first, "18:10", "18:15", "18:20", "18:25", "18:30"]);
    expect(posts.ever.filter(isPublished).map(minuteOf)).toEqual([...first, "18:25", "18:30"]);
    expect(world.discord.limits.refused).toMatchObject({ user: 0, global: 0, shared: 0 });
  });
});

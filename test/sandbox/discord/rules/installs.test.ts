import { describe, expect, it } from "vitest";
import type { Channel } from "../../../../sandbox/discord/entities.ts";
import { outcome } from "../places.ts";
import { openRawScene, type RawScene } from "../raw-bot.ts";

const EXTERNAL_APPS = 1n << 50n;

/** Registers `/near`, which users can install, and `/here`, which only guilds can. Opens a guild without the bot. */
async function openInstalls() {
  const scene = await openRawScene();
  const { discord } = scene;
  const path = `/applications/${discord.applicationId}/commands`;
  const near = { name: "near", description: "Anywhere", integration_types: [0, 1], contexts: [0, 1, 2] };
  await scene.api("PUT", path, [near, { name: "here", description: "In guilds" }]);
  const ids = ["Ada", "Alan"].map((name) => discord.member(name).id);
  const guild = discord.addGuild({ name: "Elsewhere", memberIds: ids, withoutBot: true });
  const channel = discord.addChannel(guild, "chat");
  const end = () => scene[Symbol.asyncDispose]();
  return { scene, guild, channel, [Symbol.asyncDispose]: end };
}

async function use(scene: RawScene, channel: Channel, name = "Alan") {
  const before = scene.socket.frames.length;
  const ended = scene.discord
    .member(name)
    .slash(channel, "near")
    .catch((error: unknown) => error);
  const { d } = await scene.socket.until(
    (frame) => scene.socket.frames.indexOf(frame) >= before && frame.t === "INTERACTION_CREATE",
  );
  return {
    d,
    ended,
    callback: `/interactions/${String(d["id"])}/${String(d["token"])}/callback`,
    webhook: `/webhooks/${scene.discord.applicationId}/${String(d["token"])}`,
  };
}

describe("an application that only a user installed", () => {
  it("offers its commands to that user alone in a guild that it is not in", async () => {
    await using at = await openInstalls();
    const { discord } = at.scene;
    const offered = (name: string) =>
      discord
        .member(name)
        .commands(at.channel)
        .map((command) => command.name);
    expect(offered("Alan")).toEqual([]);
    discord.setUserInstall("Alan", true);
    expect([offered("Alan"), offered("Ada")]).toEqual([["near"], []]);
    await expect(discord.member("Alan").slash(at.channel, "here")).rejects.toThrow("may not use here");
  });

  it("gets the owners and context of each interaction, and has no access of its own to the guild", async () => {
    await using at = await openInstalls();
    const { scene, guild, channel } = at;
    const { discord } = scene;
    const alan = discord.member("Alan").id;
    discord.setUserInstall("Alan", true);
    const abroad = await use(scene, channel);
    expect(abroad.d).toMatchObject({
      guild_id: guild.id,
      context: 0,
      authorizing_integration_owners: { "1": alan },
      member: { user: { id: alan } },
    });
    const seen = BigInt(String(abroad.d["app_permissions"]));
    expect([seen & (1n << 15n), seen & (1n << 11n)]).toEqual([1n << 15n, 0n]);
    expect(outcome(await scene.api("GET", `/channels/${channel.id}`))).toEqual([403, 50_001]);
    const path = `/applications/${discord.applicationId}/guilds/${guild.id}/commands/permissions`;
    expect(outcome(await scene.api("GET", path))).toEqual([403, 50_001]);
    expect(outcome(await scene.api("POST", `/channels/${channel.id}/messages`, { content: "x" }))).toEqual([
      403, 50_001,
    ]);
    expect(scene.socket.frames.filter(({ t, d }) => t === "GUILD_CREATE" && d["id"] === guild.id)).toEqual(
      [],
    );

    const home = await use(scene, scene.general);
    expect(home.d["authorizing_integration_owners"]).toEqual({ "0": discord.community.guild.id, "1": alan });
    const direct = await use(scene, discord.member("Alan").dm());
    expect(direct.d).toMatchObject({ context: 1, authorizing_integration_owners: { "0": "0", "1": alan } });
  });

  it("may send five follow-ups besides the one that fills a defer (then 40094), but more in its own guild", async () => {
    await using at = await openInstalls();
    const { scene, channel } = at;
    scene.discord.setUserInstall("Alan", true);
    const counts: number[] = [];
    const ends: unknown[] = [];
    for (const place of [channel, scene.general]) {
      const { callback, webhook } = await use(scene, place);
      await scene.api("POST", callback, { type: 5 });
      expect((await scene.api("POST", webhook, { content: "fills" })).status).toBe(200);
      let count = 0;
      let last = await scene.api("POST", webhook, { content: "further" });
      while (last.status === 200 && count < 8) {
        count += 1;
        last = await scene.api("POST", webhook, { content: "further" });
      }
      counts.push(count);
      ends.push(outcome(last)[1]);
      const edited = await scene.api("PATCH", `${webhook}/messages/@original`, { content: "y" });
      expect(edited.status).toBe(200);
    }
    expect(ends).toEqual([40_094, undefined]);
    expect(counts).toEqual([5, 8]);
  });

  it("answers its user privately if they lack USE_EXTERNAL_APPS", async () => {
    await using at = await openInstalls();
    const { scene, guild, channel } = at;
    scene.discord.setUserInstall("Alan", true);
    const say = async () => {
      const { callback, webhook } = await use(scene, channel);
      await scene.api("POST", callback, { type: 4, data: { content: "hello" } });
      return Number((await scene.api("GET", `${webhook}/messages/@original`)).json["flags"]) & 64;
    };
    expect(await say()).toBe(0);
    const everyone = guild.roles.get(guild.id);
    if (everyone !== undefined) {
      everyone.permissions &= ~EXTERNAL_APPS;
    }
    expect(await say()).toBe(64);
    expect(scene.discord.member("Ada").messages(channel)).toHaveLength(1);
    expect(scene.discord.member("Alan").messages(channel)).toHaveLength(2);
  });

  it("can be used between two people (context 2), and its buttons keep its owner", async () => {
    await using at = await openInstalls();
    const { scene } = at;
    const { discord } = scene;
    const talk = discord.openPrivateChannel("Alan", "Grace");
    expect(discord.member("Grace").commands(talk)).toEqual([]);
    discord.setUserInstall("Alan", true);
    const { d, callback, ended } = await use(scene, talk);
    const owners = { "1": discord.member("Alan").id };
    expect(d).toMatchObject({ context: 2, channel: { type: 1 }, authorizing_integration_owners: owners });
    expect(d["user"]).toMatchObject({ username: "alan" });
    const components = [{ type: 1, components: [{ type: 2, style: 1, label: "Go", custom_id: "go" }] }];
    await scene.api("POST", callback, { type: 4, data: { content: "x", components } });
    await ended;
    const [shown] = discord.member("Grace").messages(talk);
    expect(shown?.text).toBe("x");
    const before = scene.socket.frames.length;
    if (shown !== undefined) {
      void discord
        .member("Grace")
        .click(shown, "Go")
        .catch(() => undefined);
    }
    const pressed = await scene.socket.until((frame) => scene.socket.frames.indexOf(frame) >= before);
    expect(pressed.d).toMatchObject({ type: 3, authorizing_integration_owners: owners });
    expect(scene.socket.frames.some(({ t }) => t === "MESSAGE_CREATE")).toBe(false);
  });
});

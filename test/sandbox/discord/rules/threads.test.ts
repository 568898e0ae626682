import { describe, expect, it } from "vitest";
import { Events } from "discord.js";
import { openScene } from "../open-client.ts";
import { outcome, places } from "../places.ts";
import { openRawScene, type RawScene } from "../raw-bot.ts";

const HOUR_MS = 3_600_000;
const MANAGE_THREADS = 1n << 34n;

async function startPublic(scene: RawScene, more: object = {}): Promise<string> {
  const { status, json } = await scene.api("POST", `/channels/${scene.general.id}/threads`, {
    name: "delays",
    type: 11,
    auto_archive_duration: 60,
    ...more,
  });
  expect(status).toBe(201);
  return String(json["id"]);
}

const say = (scene: RawScene, id: string, content = "x") =>
  scene.api("POST", `/channels/${id}/messages`, { content });

it("a forum takes no message: 50008", async () => {
  await using scene = await openRawScene();
  const forum = scene.discord.addChannel(scene.discord.community.guild, "ideas", 15);
  expect(outcome(await say(scene, forum.id))).toEqual([400, 50_008]);
});

describe("a thread", () => {
  it("is made, told of and written in with permissions of its own", async () => {
    await using scene = await openRawScene();
    const { discord, general } = scene;
    const id = await startPublic(scene);
    const told = await scene.socket.until(({ t }) => t === "THREAD_CREATE");
    expect(told.d).toMatchObject({
      id,
      type: 11,
      parent_id: general.id,
      thread_metadata: { archived: false },
    });
    expect((await say(scene, id)).status).toBe(200);
    const deny = (bit: bigint) => [{ id: discord.applicationId, kind: 1 as const, allow: 0n, deny: bit }];
    general.overwrites = deny(1n << 11n);
    expect((await say(scene, id)).status).toBe(200);
    general.overwrites = deny(1n << 38n);
    expect(outcome(await say(scene, id))).toEqual([403, 50_013]);
    general.overwrites = deny(1n << 35n);
    const body = { name: "more", type: 11 };
    expect(outcome(await scene.api("POST", `/channels/${general.id}/threads`, body))).toEqual([403, 50_013]);
  });

  it("without a type is private, which takes another permission", async () => {
    await using scene = await openRawScene();
    const { discord, general } = scene;
    const path = `/channels/${general.id}/threads`;
    expect(outcome(await scene.api("POST", path, { name: "quiet" }))).toEqual([403, 50_013]);
    const { guild } = discord.community;
    discord.addRole(guild, { name: "Quiet", permissions: 1n << 36n, memberIds: [discord.applicationId] });
    const made = await scene.api("POST", path, { name: "quiet" });
    expect(made.json["type"]).toBe(12);
    const thread = guild.threads.get(String(made.json["id"]));
    expect(() => thread && discord.member("Alan").messages(thread)).toThrow("does not see");
  });

  it.each<[string, object, string]>([
    ["no name", {}, "name BASE_TYPE_REQUIRED"],
    ["a long name", { name: "x".repeat(101) }, "name BASE_TYPE_MAX_LENGTH"],
    ["another time", { name: "x", auto_archive_duration: 61 }, "auto_archive_duration BASE_TYPE_CHOICES"],
  ])("is refused with %s", async (_name, body, place) => {
    await using scene = await openRawScene();
    const refused = await scene.api("POST", `/channels/${scene.general.id}/threads`, body);
    expect([outcome(refused), places(refused)]).toEqual([[400, 50_035], [place]]);
  });

  it("stands below a message once: 160004; and not in another thread: 50024", async () => {
    await using scene = await openRawScene();
    const asked = await scene.ada.say(scene.general, "why?");
    const path = `/channels/${scene.general.id}/messages/${asked.id}/threads`;
    const made = await scene.api("POST", path, { name: "why" });
    expect([made.status, made.json["id"]]).toEqual([201, asked.id]);
    expect((scene.ada.look(asked)?.flags ?? 0) & 32).toBe(32);
    expect(outcome(await scene.api("POST", path, { name: "why" }))).toEqual([400, 160_004]);
    const below = await scene.api("POST", `/channels/${asked.id}/threads`, { name: "deeper", type: 11 });
    expect(outcome(below)).toEqual([400, 50_024]);
  });

  it("is archived by silence: then nothing in it changes (50083) until somebody writes", async () => {
    await using scene = await openRawScene();
    const id = await startPublic(scene);
    const first = await say(scene, id);
    const path = `/channels/${id}/messages/${String(first.json["id"])}`;
    expect((await scene.api("PATCH", path, { content: "y" })).status).toBe(200);
    await scene.clock.advance(HOUR_MS);
    expect(outcome(await scene.api("PATCH", path, { content: "z" }))).toEqual([400, 50_083]);
    expect(outcome(await scene.api("DELETE", path))).toEqual([400, 50_083]);
    expect((await say(scene, id)).status).toBe(200);
    const told = await scene.socket.until(({ t }) => t === "THREAD_UPDATE");
    expect(told.d).toMatchObject({ id, thread_metadata: { archived: false } });
    expect((await scene.api("PATCH", path, { content: "z" })).status).toBe(200);
  });

  it("that is locked takes no word: 160005; locking and deleting take MANAGE_THREADS: 50013", async () => {
    await using scene = await openRawScene();
    const { discord } = scene;
    const { guild } = discord.community;
    const id = await startPublic(scene);
    const close = { archived: true, locked: true };
    expect(outcome(await scene.api("PATCH", `/channels/${id}`, close))).toEqual([403, 50_013]);
    expect(outcome(await scene.api("DELETE", `/channels/${id}`))).toEqual([403, 50_013]);
    const role = discord.addRole(guild, {
      name: "Keeper",
      permissions: MANAGE_THREADS,
      memberIds: [discord.applicationId],
    });
    expect((await scene.api("PATCH", `/channels/${id}`, close)).json).toMatchObject({
      thread_metadata: { archived: true, locked: true },
    });
    guild.roles.delete(role);
    expect(outcome(await say(scene, id))).toEqual([400, 160_005]);
    guild.roles.set(role, { id: role, name: "Keeper", permissions: MANAGE_THREADS, position: 9 });
    expect((await say(scene, id)).status).toBe(200);
    expect((await scene.api("DELETE", `/channels/${id}`)).status).toBe(200);
    expect(outcome(await say(scene, id))).toEqual([404, 10_003]);
  });

  it("works for discord.js: made, written in by both, archived", async () => {
    await using scene = await openScene();
    const { client, discord } = scene;
    const { trains } = discord.community.channels;
    const channel = await client.channels.fetch(trains.id);
    if (!channel?.isTextBased() || !("threads" in channel)) {
      throw new Error("the channel has no threads");
    }
    const told = new Promise((resolve) => client.once(Events.ThreadUpdate, resolve));
    const starter = await channel.send("the 17:31");
    const thread = await starter.startThread({ name: "the 17:31", autoArchiveDuration: 60 });
    await thread.send("is late");
    const known = discord.community.guild.threads.get(thread.id);
    if (known === undefined) {
      throw new Error("the thread is not there");
    }
    await discord.member("Alan").say(known, "thank you");
    expect((await thread.messages.fetch()).size).toBe(2);
    await thread.setArchived(true);
    await told;
    expect(thread.archived).toBe(true);
    expect(scene.errors).toEqual([]);
    expect(discord.unknownRoutes).toEqual([]);
  });
});

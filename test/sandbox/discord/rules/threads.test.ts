import { describe, expect, it } from "vitest";
import { startThread } from "../../../../sandbox/discord/rules/threads.ts";
import { outcome } from "../places.ts";
import { openRawScene, type RawScene } from "../raw-bot.ts";

const HOUR_MS = 3_600_000;
const MANAGE_THREADS = 1n << 34n;

const start = (scene: RawScene) => startThread(scene.discord.platform, scene.general, 60);

const say = (scene: RawScene, id: string, content = "x") =>
  scene.api("POST", `/channels/${id}/messages`, { content });

it("a forum refuses messages with 50008", async () => {
  await using scene = await openRawScene();
  const forum = scene.discord.addChannel(scene.discord.community.guild, "ideas", 15);
  expect(outcome(await say(scene, forum.id))).toEqual([400, 50_008]);
});

describe("a thread", () => {
  it("is announced to the bot, which needs SEND_MESSAGES_IN_THREADS and not SEND_MESSAGES", async () => {
    await using scene = await openRawScene();
    const { discord, general } = scene;
    const { id } = start(scene);
    const event = await scene.socket.until(({ t }) => t === "THREAD_CREATE");
    expect(event.d).toMatchObject({
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
  });

  it("is archived after an hour of silence, and refuses changes (50083) until somebody writes or reopens it", async () => {
    await using scene = await openRawScene();
    const { id } = start(scene);
    const first = await say(scene, id);
    const path = `/channels/${id}/messages/${String(first.json["id"])}`;
    expect((await scene.api("PATCH", path, { content: "y" })).status).toBe(200);
    await scene.clock.advance(HOUR_MS);
    expect(outcome(await scene.api("PATCH", path, { content: "z" }))).toEqual([400, 50_083]);
    expect(outcome(await scene.api("DELETE", path))).toEqual([400, 50_083]);
    expect((await say(scene, id)).status).toBe(200);
    const event = await scene.socket.until(({ t }) => t === "THREAD_UPDATE");
    expect(event.d).toMatchObject({ id, thread_metadata: { archived: false } });
    expect((await scene.api("PATCH", path, { content: "z" })).status).toBe(200);
    await scene.clock.advance(HOUR_MS);
    expect((await scene.api("PATCH", `/channels/${id}`, { archived: false })).status).toBe(200);
    expect((await scene.api("PATCH", path, { content: "x" })).status).toBe(200);
    const elsewhere = await scene.api("PATCH", `/channels/${scene.general.id}`, { archived: false });
    expect(outcome(elsewhere)).toEqual([400, 50_024]);
  });

  it("that is locked refuses messages (160005) and reopening (50013) without MANAGE_THREADS", async () => {
    await using scene = await openRawScene();
    const { discord } = scene;
    const { id, thread } = start(scene);
    Object.assign(thread, { isArchived: true, isLocked: true });
    const open = () => scene.api("PATCH", `/channels/${id}`, { archived: false });
    expect(outcome(await say(scene, id))).toEqual([400, 160_005]);
    expect(outcome(await open())).toEqual([403, 50_013]);
    discord.addRole(discord.community.guild, {
      name: "Keeper",
      permissions: MANAGE_THREADS,
      memberIds: [discord.applicationId],
    });
    expect((await open()).json).toMatchObject({ thread_metadata: { archived: false, locked: true } });
    expect((await say(scene, id)).status).toBe(200);
  });
});

import { describe, expect, it } from "vitest";
import { openRawScene } from "../raw-bot.ts";

describe("a member's own message", () => {
  it("can be deleted, and the bot receives the event", async () => {
    await using scene = await openRawScene();
    const { ada, general, socket } = scene;
    const said = await ada.say(general, "hello");
    await ada.delete(said);
    expect(ada.look(said)).toBeUndefined();
    const { d } = await socket.until(({ t }) => t === "MESSAGE_DELETE");
    expect(d).toEqual({ id: said.id, channel_id: general.id, guild_id: general.guildId });
    await expect(ada.delete(said)).rejects.toThrow("Unknown Message");
  });
});

describe("another author's message", () => {
  it("can be deleted only by members who manage messages, even if it is the bot's", async () => {
    await using scene = await openRawScene();
    const { discord, general, ada, api, socket } = scene;
    const { json } = await api("POST", `/channels/${general.id}/messages`, { content: "a board" });
    const board = await ada.waitForMessage(general, ({ id }) => id === json["id"]);
    await expect(discord.member("Alan").delete(board)).rejects.toThrow("Missing Permissions");
    await discord.member("Grace").delete(board);
    const { d } = await socket.until(({ t }) => t === "MESSAGE_DELETE");
    expect(d["id"]).toBe(board.id);
    const edited = await api("PATCH", `/channels/${general.id}/messages/${board.id}`, { content: "later" });
    expect([edited.status, edited.json["code"]]).toEqual([404, 10_008]);
  });

  it("cannot be deleted in a direct message channel", async () => {
    await using scene = await openRawScene();
    const { discord, api } = scene;
    const mary = discord.member("Mary");
    const direct = mary.dm();
    const { json } = await api("POST", `/channels/${direct.id}/messages`, { content: "hello" });
    const seen = await mary.waitForMessage(direct, ({ id }) => id === json["id"]);
    await expect(mary.delete(seen)).rejects.toThrow("Missing Permissions");
  });
});

import { describe, expect, it } from "vitest";
import type { ChatMessage, OfferedCommand, Scene } from "../../../../sandbox/control/chat/api.ts";
import { openWorld, type World } from "../../../../sandbox/world.ts";

const at = (world: World, path: string) => `${world.discord.baseUrl}/_sandbox${path}`;

async function get<T>(world: World, path: string): Promise<T> {
  // Each route's answer has the type that the page expects of it.
  return (await (await fetch(at(world, path))).json()) as T;
}

const sceneOf = (world: World, member: string) => get<Scene>(world, `/chat/scene?member=${member}`);

const messagesOf = (world: World, member: string) =>
  get<ChatMessage[]>(world, `/chat/messages?member=${member}&channel=${world.channels.trains.id}`);

async function act(world: World, member: string, body: object): Promise<{ status: number; said: unknown }> {
  const response = await fetch(at(world, "/act"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ member, channel: world.channels.trains.id, ...body }),
  });
  return { status: response.status, said: await response.json() };
}

describe("the scene", () => {
  it("shows a member only the channels that they see, and where they may write", async () => {
    await using world = await openWorld({ bot: "none" });
    const places = async (member: string) =>
      (await sceneOf(world, member)).guilds[0]?.channels.map(({ name, canWrite }) => [name, canWrite]);
    expect(await places("Alan")).toEqual([
      ["general", true],
      ["trains", true],
      ["news", false],
    ]);
    expect(await places("Grace")).toContainEqual(["staff", true]);
  });

  it("lists the direct messages with the bot first, under the bot's name", async () => {
    await using world = await openWorld({ bot: "none" });
    world.discord.openPrivateChannel("Alan", "Mary");
    expect((await sceneOf(world, "Alan")).directs.map(({ name }) => name)).toEqual(["Signalbox", "Mary"]);
    expect((await sceneOf(world, "Ada")).directs.map(({ name }) => name)).toEqual(["Signalbox"]);
  });

  it("lists roles from the highest down, without the one that everybody has", async () => {
    await using world = await openWorld({ bot: "none" });
    const [guild] = (await sceneOf(world, "Ada")).guilds;
    expect(guild?.roles.map(({ name }) => name)).toEqual(["Signalbox", "Moderator"]);
    const grace = world.member("Grace").id;
    expect(guild?.members.find(({ userId }) => userId === grace)?.roleIds).toHaveLength(1);
  });

  it("shows only guilds that the member is in", async () => {
    await using world = await openWorld({ bot: "none" });
    world.discord.addGuild({ name: "Elsewhere", memberIds: [world.member("Mary").id] });
    const names = async (member: string) => (await sceneOf(world, member)).guilds.map(({ name }) => name);
    expect(await names("Mary")).toEqual(["Platform Zero", "Elsewhere"]);
    expect(await names("Ada")).toEqual(["Platform Zero"]);
  });
});

describe("messages", () => {
  it("are shown only to members who can see them", async () => {
    await using world = await openWorld();
    const { trains } = world.channels;
    const said = await world.member("Ada").say(trains, "hello");
    const own = await world.member("Ada").slash(trains, "about");
    expect((await messagesOf(world, "Ada")).map(({ id }) => id)).toContain(own.message.id);
    const forAlan = await messagesOf(world, "Alan");
    expect(forAlan[0]?.id).toBe(said.id);
    expect(forAlan.every(({ ephemeral }) => !ephemeral)).toBe(true);
  });

  it("say which command they answer", async () => {
    await using world = await openWorld();
    const ada = world.member("Ada");
    await ada.slash(world.channels.trains, "about");
    await ada.slash(world.channels.trains, "board list");
    expect(await messagesOf(world, "Ada")).toMatchObject([
      { used: { userId: ada.id, command: "/about" } },
      { used: { userId: ada.id, command: "/board list" } },
    ]);
  });

  it("are refused for a channel that the member cannot see", async () => {
    await using world = await openWorld({ bot: "none" });
    const { staff } = world.channels;
    const refused = await fetch(at(world, `/chat/messages?member=Alan&channel=${staff.id}`));
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { error: "Alan does not see staff", kind: "refused" },
    ]);
  });
});

describe("commands", () => {
  it("are offered with their options, if the member may use them", async () => {
    await using world = await openWorld();
    const path = (member: string) => `/chat/commands?member=${member}&channel=${world.channels.trains.id}`;
    const offered = await get<OfferedCommand[]>(world, path("Alan"));
    const departures = offered.find(({ name }) => name === "departures");
    expect(departures?.options[0]).toMatchObject({ name: "station", required: true, autocomplete: true });
    expect(offered.map(({ name }) => name)).not.toContain("board");
    expect((await get<OfferedCommand[]>(world, path("Grace"))).map(({ name }) => name)).toContain("board");
  });
});

describe("actions", () => {
  it("can reply to a message", async () => {
    await using world = await openWorld({ bot: "none" });
    const said = await world.member("Ada").say(world.channels.trains, "hello");
    await act(world, "Alan", { do: "say", text: "hi", repliesTo: said.id });
    expect(await messagesOf(world, "Ada")).toMatchObject([{}, { content: "hi", repliesTo: said.id }]);
  });

  it("can delete one's own message, or anybody's with the permission for it", async () => {
    await using world = await openWorld({ bot: "none" });
    const { trains } = world.channels;
    const adas = await world.member("Ada").say(trains, "hello");
    const alans = await world.member("Alan").say(trains, "hi");
    const may = async (member: string) => (await messagesOf(world, member)).map(({ mayDelete }) => mayDelete);
    expect(await may("Alan")).toEqual([false, true]);
    expect(await may("Grace")).toEqual([true, true]);
    expect((await act(world, "Alan", { do: "delete", messageId: adas.id })).status).toBe(400);
    expect((await act(world, "Alan", { do: "delete", messageId: alans.id })).status).toBe(200);
    expect((await messagesOf(world, "Ada")).map(({ id }) => id)).toEqual([adas.id]);
  });

  it("report a missing response differently from a refusal", async () => {
    await using world = await openWorld({ bot: "none" });
    const { discord, clock } = world;
    const socket = new WebSocket(`${discord.baseUrl.replace("http", "ws")}/gateway?v=10&encoding=json`);
    const heard = async (type: string) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      socket.addEventListener("message", ({ data }) => {
        if (String(data).includes(`"${type}"`)) {
          resolve();
        }
      });
      return promise;
    };
    const created = heard("GUILD_CREATE");
    socket.addEventListener("open", () =>
      socket.send(JSON.stringify({ op: 2, d: { token: discord.token, intents: 1, properties: {} } })),
    );
    await created;
    await fetch(`${discord.baseUrl}/api/v10/applications/${discord.applicationId}/commands`, {
      method: "PUT",
      headers: { authorization: `Bot ${discord.token}`, "content-type": "application/json" },
      body: JSON.stringify([{ name: "wave", description: "Waves" }]),
    });
    const asked = heard("INTERACTION_CREATE");
    const waved = act(world, "Ada", { do: "slash", command: "wave" });
    await asked;
    await clock.advance(3001);
    expect(await waved).toMatchObject({ status: 400, said: { kind: "no-response" } });
    socket.close();
  });
});

import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { openWorld, type World } from "../../../sandbox/world.ts";

const at = (world: World, path: string) => `${world.discord.baseUrl}/_sandbox${path}`;

function act(world: World, body: object): Promise<Response> {
  return fetch(at(world, "/act"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ member: "Ada", channel: world.channels.trains.id, ...body }),
  });
}

function statusFor(world: World, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(at(world, "/chat/scene?member=Ada"), { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}

describe("the control routes", () => {
  it("show what a member sees, and let them act", async () => {
    await using world = await openWorld();
    const ran = await act(world, { do: "slash", command: "about" });
    expect(await ran.json()).toMatchObject({ interactionId: expect.stringMatching(/^\d+$/) });
    const said = await act(world, {
      do: "say",
      text: "hello",
      files: [{ name: "a.txt", base64: Buffer.from("hi").toString("base64") }],
    });
    expect(said.status).toBe(200);
    await world
      .member("Ada")
      .waitForMessage(world.channels.trains, ({ author, loading }) => author.bot && !loading);
    const messages = await fetch(at(world, `/chat/messages?member=Ada&channel=${world.channels.trains.id}`));
    expect(await messages.json()).toMatchObject([
      { because: "Ada used /about" },
      { content: "hello", attachments: [{ filename: "a.txt" }] },
    ]);
  });

  it("explain an action that is impossible", async () => {
    await using world = await openWorld({ bot: "none" });
    const refused = await act(world, { do: "slash", command: "departures" });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { error: "there is no departures: no commands at all", kind: "refused" },
    ]);
  });

  it("advance the clock", async () => {
    await using world = await openWorld({ bot: "none" });
    const before = world.clock.now();
    const turned = await fetch(at(world, "/clock"), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ advanceMs: 60_000 }),
    });
    expect(await turned.json()).toMatchObject({ nowMs: before + 60_000, mode: "still" });
  });

  it("report changes as they happen", async () => {
    await using world = await openWorld({ bot: "none" });
    const stop = new AbortController();
    const stream = await fetch(at(world, "/events"), { signal: stop.signal });
    const reader = stream.body?.getReader();
    const heard = reader?.read();
    const said = await world.member("Ada").say(world.channels.general, "hello");
    expect(Buffer.from((await heard)?.value ?? []).toString()).toContain(said.id);
    stop.abort();
  });

  it("answer only to this machine's own names", async () => {
    await using world = await openWorld({ bot: "none" });
    expect(await statusFor(world, {})).toBe(200);
    expect(await statusFor(world, { host: "evil.example" })).toBe(403);
    expect(await statusFor(world, { origin: "https://evil.example" })).toBe(403);
  });
});

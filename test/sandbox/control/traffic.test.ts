import { describe, expect, it } from "vitest";
import type {
  RestCall,
  Traffic,
  TrafficDetails,
  TrafficEntry,
} from "../../../sandbox/control/api/traffic.ts";
import { openWorld, type World } from "../../../sandbox/world.ts";
import { openControl, type Control } from "./ask-control.ts";

const commandsDir = new URL("../../fixtures/commands/", import.meta.url);

/** Sends a request to the API as the bot. */
function ask({ discord }: World, method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${discord.baseUrl}/api/v10${path}`, {
    method,
    headers: { authorization: `Bot ${discord.token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function lastCall(control: Control): Promise<RestCall> {
  const { entries } = await control.get<Traffic>("/traffic");
  const found = entries.findLast((entry) => entry.kind === "rest");
  if (found === undefined) {
    throw new Error("the traffic contains no REST call");
  }
  return found;
}

describe("the traffic", () => {
  it("contains a command from its event to its answer, with its interaction's id", async () => {
    await using world = await openWorld({ commandsDir });
    await using control = await openControl(world);
    const { interactionId } = await world
      .member("Ada")
      .slash(world.channels.trains, "fast", { text: "hello" });
    const { entries } = await control.get<Traffic>("/traffic");
    expect(entries.filter((entry) => entry.interactionId === interactionId)).toMatchObject([
      { kind: "gateway", direction: "to-bot", name: "INTERACTION_CREATE", shard: 0, findings: [] },
      {
        kind: "rest",
        method: "POST",
        route: "/interactions/:id/:token/callback",
        state: "answered",
        tookMs: expect.any(Number),
        findings: [],
      },
      { kind: "gateway", name: "MESSAGE_CREATE" },
    ]);
    expect(entries.map((entry) => (entry.kind === "gateway" ? entry.name : ""))).toEqual(
      expect.arrayContaining(["HELLO", "IDENTIFY", "READY", "GUILD_CREATE"]),
    );
  });

  it("streams a call twice: when it arrives, and when it is answered", async () => {
    await using world = await openWorld({ bot: "none" });
    await using control = await openControl(world);
    await ask(world, "GET", `/channels/${world.channels.trains.id}`);
    const states: string[] = [];
    await control.until<{ entry: TrafficEntry }>("traffic", ({ entry }) => {
      if (entry.kind === "rest") {
        states.push(entry.state);
      }
      return entry.kind === "rest" && entry.state === "answered";
    });
    expect(new Set(states)).toEqual(new Set(["open", "answered"]));
    expect(control.heard.find(({ name }) => name === "inspector")).toBeDefined();
  });

  it("says where a body is wrong", async () => {
    await using world = await openWorld({ bot: "none" });
    await using control = await openControl(world);
    await ask(world, "POST", `/channels/${world.channels.trains.id}/messages`, {
      content: "x".repeat(2_001),
    });
    expect(await lastCall(control)).toMatchObject({
      route: "/channels/:id/messages",
      status: 400,
      findings: [{ severity: "error", code: "BASE_TYPE_MAX_LENGTH", place: "content" }],
    });
    await ask(world, "GET", "/channels/1");
    expect((await lastCall(control)).findings).toMatchObject([{ code: "10003", place: null }]);
  });

  it("reports limits, faults and lost answers", async () => {
    await using world = await openWorld({ bot: "none" });
    await using control = await openControl(world);
    const path = `/channels/${world.channels.trains.id}/messages`;
    world.discord.faults.add({ path, do: "429" });
    await ask(world, "POST", path, { content: "a" });
    expect(await lastCall(control)).toMatchObject({
      status: 429,
      findings: [{ severity: "note", code: "injected", message: expect.stringContaining("rate limit") }],
    });
    world.discord.faults.add({ path, do: "drop-after" });
    await expect(ask(world, "POST", path, { content: "b", nonce: "n", enforce_nonce: true })).rejects.toThrow(
      "fetch failed",
    );
    expect(await lastCall(control)).toMatchObject({
      state: "lost",
      status: null,
      findings: [{ severity: "note", code: "injected" }],
    });
    await ask(world, "POST", path, { content: "b", nonce: "n", enforce_nonce: true });
    expect((await lastCall(control)).findings).toMatchObject([{ severity: "note", code: "double" }]);
  });

  it("does not count a retry as a mistake if the first answer was lost on purpose", async () => {
    await using world = await openWorld({ commandsDir });
    await using control = await openControl(world);
    const path = "/interactions/:id/:token/callback";
    world.discord.faults.add({ path, do: "drop-after" });
    const { interactionId } = await world
      .member("Ada")
      .slash(world.channels.trains, "fast", { text: "hello" });
    await control.until<{ entry: TrafficEntry }>("traffic", ({ entry }) =>
      entry.findings.some(({ code }) => code === "40060"),
    );
    const { entries } = await control.get<Traffic>("/traffic");
    const found = entries.filter((one) => one.interactionId === interactionId).flatMap((one) => one.findings);
    expect(found.map(({ severity, code }) => `${severity} ${code}`)).toEqual(["note injected", "note 40060"]);
  });

  it("says which end of a connection was injected, and which the bot chose", async () => {
    await using world = await openWorld({ commandsDir });
    await using control = await openControl(world);
    const closes = async () => {
      const { entries } = await control.get<Traffic>("/traffic");
      return entries
        .filter((one) => one.kind === "gateway" && /^(CLOSE|RECONNECT)/.test(one.name))
        .map((one) =>
          one.kind === "gateway" ? { ...one, found: one.findings.map(({ code }) => code) } : one,
        );
    };
    world.discord.gateway.askReconnect();
    await expect.poll(closes).toMatchObject([
      { name: "RECONNECT", direction: "to-bot", found: ["injected"] },
      // discord.js closes with this code in order to resume.
      { name: "CLOSE 4200", direction: "from-bot", found: ["4200"] },
    ]);
    expect((await closes()).flatMap(({ findings }) => findings.map(({ severity }) => severity))).toEqual([
      "note",
      "note",
    ]);
    await expect.poll(() => world.discord.gateway.hasSession(world.guild.id)).toBe(true);
  });

  it("sends an interaction again once it is known to be unanswered", async () => {
    await using world = await openWorld({ commandsDir });
    await using control = await openControl(world);
    world.discord.gateway.faults.add({ event: "INTERACTION_CREATE", do: "drop" });
    const outcome = world
      .member("Ada")
      .slash(world.channels.trains, "fast", { text: "lost" })
      .catch((error: unknown) => error);
    await world.clock.advance(3_000);
    expect(String(await outcome)).toContain("did not respond");
    await control.until<{ entry: TrafficEntry }>("traffic", ({ entry }) =>
      // The bot never received it, so this is not the bot's mistake.
      entry.findings.some(({ code, severity }) => code === "unanswered" && severity === "note"),
    );
  });

  it("shows bodies on demand, without any token", async () => {
    await using world = await openWorld({ commandsDir });
    await using control = await openControl(world);
    await world.member("Ada").slash(world.channels.trains, "fast", { text: `my ${world.video.tokens.page}` });
    const { entries } = await control.get<Traffic>("/traffic");
    const details = await Promise.all(entries.map(({ id }) => control.get<TrafficDetails>(`/traffic/${id}`)));
    const callback = details.find(({ entry }) => entry.kind === "rest" && entry.path.endsWith("/callback"));
    expect(JSON.stringify(callback?.sent)).toContain("You said");
    const all = JSON.stringify([entries, details]);
    const interaction = [...world.discord.state.interactions.values()].at(-1);
    expect(interaction).toBeDefined();
    for (const secret of [world.discord.token, world.video.tokens.page, interaction?.token ?? ""]) {
      expect(all).not.toContain(secret);
    }
    expect(all).toContain("[redacted]");
  });

  it("keeps the last 500 entries, and can be cleared", async () => {
    await using world = await openWorld({ bot: "none" });
    await using control = await openControl(world);
    for (let round = 0; round < 26; round += 1) {
      await Promise.all(Array.from({ length: 20 }, () => ask(world, "GET", "/gateway")));
    }
    const { entries } = await control.get<Traffic>("/traffic");
    expect([entries.length, entries.at(-1)?.id]).toEqual([500, 520]);
    expect(await control.remove<Traffic>("/traffic")).toEqual({ entries: [] });
    await expect(control.get("/traffic/520")).rejects.toThrow("no longer stored");
  });
});

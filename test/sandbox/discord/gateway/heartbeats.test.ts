import { Events } from "discord.js";
import { describe, expect, it } from "vitest";
import { openScene } from "../open-client.ts";
import { openSocket } from "../raw-bot.ts";
import { beginSession, openGateway, resumeSession } from "./open-gateway.ts";

describe("a gateway connection", () => {
  it("is closed with 4009 without heartbeats, and its session can be resumed", async () => {
    await using at = await openGateway({ settings: { heartbeatIntervalMs: 30, heartbeatGraceMs: 1000 } });
    const { socket, id, lastSequence } = await beginSession(at.discord);
    expect(await socket.closed).toBe(4009);
    const resumed = await resumeSession(at.discord, id, lastSequence());
    await resumed.until(({ t }) => t === "RESUMED");
  });

  it("stays open with heartbeats", async () => {
    await using at = await openGateway({ settings: { heartbeatIntervalMs: 100, heartbeatGraceMs: 400 } });
    const socket = await openSocket(at.discord);
    const beating = setInterval(() => socket.send(1, null), 50);
    const silent = await openSocket(at.discord);
    expect(await silent.closed).toBe(4009);
    await socket.until(() => socket.frames.filter(({ op }) => op === 11).length >= 8);
    clearInterval(beating);
    expect(await Promise.race([socket.closed, Promise.resolve("open")])).toBe("open");
  });

  it("gets heartbeats from discord.js and acknowledges them", async () => {
    await using scene = await openScene({
      discord: { settings: { heartbeatIntervalMs: 40, heartbeatGraceMs: 5000 } },
    });
    const { client, discord } = scene;
    await expect.poll(() => client.ws.ping).toBeGreaterThanOrEqual(0);
    expect(discord.gateway.sessions.size).toBe(1);
  });

  it("gets a heartbeat from discord.js at once after it asks with op 1", async () => {
    await using scene = await openScene();
    const { client, discord } = scene;
    expect(client.ws.ping).toBe(-1);
    discord.gateway.askHeartbeat();
    await expect.poll(() => client.ws.ping).toBeGreaterThanOrEqual(0);
  });

  it("is resumed by discord.js if a heartbeat is not acknowledged, and no event is lost", async () => {
    await using scene = await openScene({
      discord: { settings: { heartbeatIntervalMs: 60, heartbeatGraceMs: 5000 } },
    });
    const { client, discord } = scene;
    const heard: string[] = [];
    client.on(Events.MessageCreate, ({ content }) => heard.push(content));
    const resumed = new Promise((resolve) => client.once(Events.ShardResume, resolve));
    const fault = discord.gateway.faults.add({ event: "HEARTBEAT_ACK", do: "drop" });
    await expect.poll(() => fault.hits).toBe(1);
    await discord.member("Ada").mention(discord.community.channels.general, "anyone there");
    await resumed;
    await expect.poll(() => heard).toEqual([`<@${discord.applicationId}> anyone there`]);
  });

  it("keeps its discord.js session if heartbeats are acknowledged late or twice", async () => {
    await using scene = await openScene({
      discord: { settings: { heartbeatIntervalMs: 60, heartbeatGraceMs: 5000 } },
    });
    const { client, discord } = scene;
    const { faults, sessions } = discord.gateway;
    const [before] = sessions.keys();
    const twice = faults.add({ event: "HEARTBEAT_ACK", do: "duplicate" });
    await expect.poll(() => twice.hits).toBe(1);
    const late = faults.add({ event: "HEARTBEAT_ACK", do: "delay", delayMs: 20 });
    await expect.poll(() => late.hits).toBe(1);
    // discord.js still sends heartbeats and receives events.
    const next = faults.add({ event: "HEARTBEAT_ACK", do: "delay", delayMs: 0 });
    await expect.poll(() => next.hits).toBe(1);
    const heard = new Promise((resolve) => client.once(Events.MessageCreate, resolve));
    await discord.member("Ada").mention(discord.community.channels.general, "anyone there");
    await heard;
    expect([...sessions.keys()]).toEqual([before]);
    expect(scene.errors).toEqual([]);
  });
});

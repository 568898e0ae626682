import { Events } from "discord.js";
import { describe, expect, it } from "vitest";
import { openScene } from "../open-client.ts";
import { beginSession, openGateway, resumeSession } from "./open-gateway.ts";

const CREATE = "MESSAGE_CREATE";

async function open() {
  const at = await openGateway();
  const session = await beginSession(at.discord);
  const ada = at.discord.member("Ada");
  const received = (from: number) => session.socket.frames.slice(from).map(({ t, s }) => [t, s]);
  return {
    ...at,
    ...session,
    say: (text: string) => ada.say(at.general, text),
    received,
    from: session.socket.frames.length,
    next: session.lastSequence() + 1,
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

describe("a fault of the gateway", () => {
  it("can drop an event, which still has a sequence number and is replayed after a RESUME", async () => {
    await using at = await open();
    const { discord, from, next } = at;
    const fault = discord.gateway.faults.add({ event: CREATE, do: "drop" });
    await at.say("lost");
    await at.say("heard");
    await at.socket.until(({ s }) => s === next + 1);
    expect(at.received(from)).toEqual([[CREATE, next + 1]]);
    expect(fault.hits).toBe(1);
    at.socket.terminate();
    const resumed = await resumeSession(discord, at.id, next - 1);
    await resumed.until(({ t }) => t === "RESUMED");
    expect(resumed.frames.slice(1).map(({ s }) => s)).toEqual([next, next + 1, next + 2]);
  });

  it("can send an event twice with the same sequence number", async () => {
    await using at = await open();
    at.discord.gateway.faults.add({ event: CREATE, do: "duplicate" });
    await at.say("twice");
    await at.say("once");
    await at.socket.until(({ s }) => s === at.next + 1);
    expect(at.received(at.from).map(([, s]) => s)).toEqual([at.next, at.next, at.next + 1]);
  });

  it("can delay an event until it is released, after later events", async () => {
    await using at = await open();
    const fault = at.discord.gateway.faults.add({ event: CREATE, do: "delay", delayMs: 1_000_000 });
    await at.say("late");
    await at.say("early");
    await at.socket.until(({ s }) => s === at.next + 1);
    fault.release();
    await at.socket.until(({ s }) => s === at.next);
    expect(at.received(at.from).map(([, s]) => s)).toEqual([at.next + 1, at.next]);
  });

  it("ends a delay automatically, applies only to its event and as often as set, and can be removed", async () => {
    await using at = await open();
    const { faults } = at.discord.gateway;
    faults.add({ event: "MESSAGE_DELETE", do: "drop" });
    faults.add({ event: CREATE, do: "drop", times: 9 }).remove();
    const delayed = faults.add({ event: CREATE, do: "delay", delayMs: 1, times: 2 });
    for (const text of ["a", "b", "c"]) {
      await at.say(text);
    }
    await at.socket.until(() => at.socket.frames.length === at.from + 3);
    expect(delayed.hits).toBe(2);
  });

  it("can refuse a connection, after which discord.js starts a new session", async () => {
    await using scene = await openScene();
    const { client, discord } = scene;
    const [before] = discord.gateway.sessions.keys();
    const ready = new Promise((resolve) => client.once(Events.ShardReady, resolve));
    const fault = discord.gateway.faults.add({ event: "CONNECT", do: "drop" });
    discord.gateway.dropSockets();
    await ready;
    expect(fault.hits).toBe(1);
    expect([...discord.gateway.sessions.keys()].filter((id) => id !== before)).toHaveLength(1);
  });

  it("can delay a connection, after which discord.js resumes", async () => {
    await using scene = await openScene();
    const { client, discord } = scene;
    const resumed = new Promise((resolve) => client.once(Events.ShardResume, resolve));
    const fault = discord.gateway.faults.add({ event: "CONNECT", do: "delay", delayMs: 5 });
    discord.gateway.dropSockets();
    await resumed;
    expect(fault.hits).toBe(1);
  });

  it("can drop RESUMED, and the next RESUME replays everything again", async () => {
    await using at = await open();
    const { discord } = at;
    at.socket.terminate();
    await at.socket.closed;
    await at.say("one");
    await at.say("two");
    discord.gateway.faults.add({ event: "RESUMED", do: "drop" });
    const first = await resumeSession(discord, at.id, at.next - 1);
    await first.until(({ s }) => s === at.next + 1);
    const second = await resumeSession(discord, at.id, at.next - 1);
    await second.until(({ t, s }) => t === "RESUMED" && s === at.next + 3);
    expect(second.frames.slice(1).map(({ t }) => t)).toEqual([CREATE, CREATE, "RESUMED", "RESUMED"]);
    // The second socket replaces the first.
    expect(await first.closed).toBe(1006);
  });
});

import { describe, expect, it } from "vitest";
import { identify } from "../raw-bot.ts";
import { beginSession, openGateway, resumeSession } from "./open-gateway.ts";

describe("a session", () => {
  it("is removed a few minutes after its socket has closed", async () => {
    await using at = await openGateway();
    const { discord } = at;
    const { socket } = await beginSession(discord);
    socket.terminate();
    await expect.poll(() => [...discord.gateway.sessions.values()][0]?.isConnected).toBe(false);
    await at.clock.advance(discord.settings.sessionLifeMs - 1);
    expect(discord.gateway.sessions.size).toBe(1);
    await at.clock.advance(1);
    expect(discord.gateway.sessions.size).toBe(0);
    expect(discord.gateway.hasSession(undefined)).toBe(false);
  });

  it("is not removed if it has been resumed", async () => {
    await using at = await openGateway();
    const { discord } = at;
    const { socket, id, lastSequence } = await beginSession(discord);
    socket.terminate();
    await expect.poll(() => [...discord.gateway.sessions.values()][0]?.isConnected).toBe(false);
    const resumed = await resumeSession(discord, id, lastSequence());
    await resumed.until(({ t }) => t === "RESUMED");
    await at.clock.advance(10 * discord.settings.sessionLifeMs);
    expect(discord.gateway.sessions.size).toBe(1);
  });

  it.each([
    [1000, 0],
    [1001, 0],
    [4000, 1],
    [4200, 1],
  ])("that its client closes with %i leaves %i sessions to resume", async (code, left) => {
    await using at = await openGateway();
    const { socket } = await beginSession(at.discord);
    socket.close(code);
    await socket.closed;
    await expect
      .poll(() => [...at.discord.gateway.sessions.values()].filter(({ isConnected }) => isConnected))
      .toEqual([]);
    expect(at.discord.gateway.sessions.size).toBe(left);
  });

  it("receives nothing more after op 9, and its socket can identify again", async () => {
    await using at = await openGateway();
    const { discord } = at;
    const { socket, id } = await beginSession(discord);
    discord.gateway.invalidate(false);
    expect((await socket.until(({ op }) => op === 9)).d).toBe(false);
    await discord.member("Ada").say(at.general, "unheard");
    identify(socket, discord);
    await socket.until(({ t, d }) => t === "READY" && d["session_id"] !== id);
    expect(socket.frames.some(({ t }) => t === "MESSAGE_CREATE")).toBe(false);
  });

  it("is closed with 4005 by a RESUME on its own socket", async () => {
    await using at = await openGateway();
    const { socket, id } = await beginSession(at.discord);
    socket.send(6, { token: at.discord.token, session_id: id, seq: 1 });
    expect(await socket.closed).toBe(4005);
  });

  it("cannot be resumed with another token (4004)", async () => {
    await using at = await openGateway();
    const { socket, id } = await beginSession(at.discord);
    socket.terminate();
    const thief = await resumeSession({ ...at.discord, token: "x" }, id, 1);
    expect(await thief.closed).toBe(4004);
  });
});

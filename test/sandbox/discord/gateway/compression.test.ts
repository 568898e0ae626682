import { once } from "node:events";
import { constants, inflateSync } from "node:zlib";
import { WebSocket } from "ws";
import { describe, expect, it } from "vitest";
import type { LocalDiscord } from "../../../../sandbox/discord/server.ts";
import { openGateway } from "./open-gateway.ts";

interface Frame {
  readonly op: number;
  readonly t: string | null;
}

/** The bytes of each message of the gateway, in order. */
async function openBinary(discord: LocalDiscord, query: string) {
  const socket = new WebSocket(`${discord.baseUrl.replace("http", "ws")}/gateway${query}`);
  const messages: { readonly data: Buffer; readonly isBinary: boolean }[] = [];
  socket.on("message", (data: Buffer, isBinary) => messages.push({ data, isBinary }));
  await once(socket, "open");
  return {
    socket,
    messages,
    identify: (more: object = {}) =>
      socket.send(
        JSON.stringify({ op: 2, d: { token: discord.token, intents: 513, properties: {}, ...more } }),
      ),
  };
}

/** Each frame ends with the four bytes of a flush; what follows the last of them is not whole yet. */
function inflateFrames(messages: readonly { readonly data: Buffer }[]): Frame[] {
  const frames: Frame[] = [];
  let taken = 0;
  for (const [index, { data }] of messages.entries()) {
    if (data.subarray(-4).equals(Buffer.from([0, 0, 0xff, 0xff]))) {
      const soFar = Buffer.concat(messages.slice(0, index + 1).map((message) => message.data));
      const text = inflateSync(soFar, { finishFlush: constants.Z_SYNC_FLUSH }).toString("utf8");
      // The gateway says frames only.
      frames.push(JSON.parse(text.slice(taken)) as Frame);
      taken = text.length;
    }
  }
  return frames;
}

describe("zlib", () => {
  it("compresses all that is said as one stream, flushed after each frame", async () => {
    await using at = await openGateway();
    const { discord } = at;
    const { socket, messages, identify } = await openBinary(
      discord,
      "?v=10&encoding=json&compress=zlib-stream",
    );
    identify();
    const said = () => inflateFrames(messages).map(({ op, t }) => t ?? op);
    await expect.poll(said).toEqual([10, "READY", "GUILD_CREATE"]);
    await discord.member("Ada").mention(at.general, "é".repeat(1000));
    await expect.poll(said).toEqual([10, "READY", "GUILD_CREATE", "MESSAGE_CREATE"]);
    expect(messages.every(({ isBinary }) => isBinary)).toBe(true);
    socket.terminate();
  });

  it("says what is said before a close", async () => {
    await using at = await openGateway();
    const { socket, messages } = await openBinary(at.discord, "?v=10&encoding=json&compress=zlib-stream");
    const closed = once(socket, "close");
    socket.send("{");
    expect((await closed)[0]).toBe(4002);
    expect(inflateFrames(messages).map(({ op }) => op)).toEqual([10]);
  });

  it("compresses each frame by itself where IDENTIFY asks for it", async () => {
    await using at = await openGateway();
    const { socket, messages, identify } = await openBinary(at.discord, "?v=10&encoding=json");
    identify({ compress: true });
    await expect.poll(() => messages.length).toBe(3);
    const [hello, ...rest] = messages;
    expect(hello?.isBinary).toBe(false);
    // The gateway says frames only.
    const names = rest.map(({ data }) => (JSON.parse(inflateSync(data).toString("utf8")) as Frame).t);
    expect(names).toEqual(["READY", "GUILD_CREATE"]);
    socket.terminate();
  });
});

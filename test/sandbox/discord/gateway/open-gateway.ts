// Opens a local Discord, and begins and resumes sessions on raw sockets.
import type { LocalDiscord } from "../../../../sandbox/discord/server.ts";
import { openDiscord } from "../open-client.ts";
import { identify, openSocket, type RawSocket } from "../raw-bot.ts";

export async function openGateway(options: Parameters<typeof openDiscord>[0] = {}) {
  const { discord, clock } = await openDiscord(options);
  return {
    discord,
    clock,
    general: discord.community.channels.general,
    async [Symbol.asyncDispose]() {
      await discord.close();
      clock.stop();
    },
  };
}

export interface RawSession {
  readonly socket: RawSocket;
  readonly id: string;
  /** The sequence number of the last event. */
  readonly lastSequence: () => number;
}

/** Identifies with the intents of the bot and waits for the first guild. */
export async function beginSession(discord: LocalDiscord, more: object = {}): Promise<RawSession> {
  const socket = await openSocket(discord);
  identify(socket, discord, { intents: 1 | (1 << 9) | (1 << 12), ...more });
  const ready = await socket.until(({ t }) => t === "READY");
  await socket.until(({ t }) => t === "GUILD_CREATE");
  return {
    socket,
    id: String(ready.d["session_id"]),
    lastSequence: () => Math.max(...socket.frames.map(({ s }) => s ?? 0)),
  };
}

/** Opens a new socket that resumes a session. */
export async function resumeSession(discord: LocalDiscord, id: string, seq: number): Promise<RawSocket> {
  const socket = await openSocket(discord);
  socket.send(6, { token: discord.token, session_id: id, seq });
  return socket;
}

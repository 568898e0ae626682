// A bot without a library: raw frames and requests that discord.js would never send.
import { once } from "node:events";
import { WebSocket } from "ws";
import type { CommunityDiscord } from "../../../sandbox/community.ts";
import type { Member } from "../../../sandbox/discord/actors/member.ts";
import type { Channel } from "../../../sandbox/discord/entities.ts";
import type { LocalDiscord } from "../../../sandbox/discord/server.ts";
import { openDiscord } from "./open-client.ts";

/** The real milliseconds within which a frame must arrive. */
const DEADLINE_MS = 30_000;

interface Frame {
  readonly op: number;
  readonly t: string | null;
  readonly s: number | null;
  // What stands in it is what the test looks at.
  readonly d: Record<string, unknown>;
}

export interface RawSocket {
  readonly frames: Frame[];
  send(op: number, d: unknown): void;
  sendText(text: string): void;
  /** The first matching frame, past or future. */
  until(test: (frame: Frame) => boolean): Promise<Frame>;
  /** The close code. */
  readonly closed: Promise<number>;
  close(code?: number): void;
  terminate(): void;
}

/** `query` is the query string of the connection; `?v=10&encoding=json` by default. */
export async function openSocket(discord: LocalDiscord, query = "?v=10&encoding=json"): Promise<RawSocket> {
  const socket = new WebSocket(`${discord.baseUrl.replace("http", "ws")}/gateway${query}`);
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  socket.on("message", (data: Buffer) => {
    // The server sends only frames.
    frames.push(JSON.parse(data.toString("utf8")) as Frame);
    for (const look of waiting) {
      look();
    }
  });
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  await once(socket, "open");
  return {
    frames,
    closed,
    send: (op, d) => socket.send(JSON.stringify({ op, d })),
    sendText: (text) => socket.send(text),
    close: (code) => socket.close(code),
    terminate: () => socket.terminate(),
    until: (test) =>
      new Promise((resolve, reject) => {
        const deadline = setTimeout(() => {
          waiting.delete(look);
          const told = frames.map(({ op, t }) => t ?? `op ${op}`).join(", ");
          reject(new Error(`no such frame came within ${DEADLINE_MS} ms of real time, only: ${told}`));
        }, DEADLINE_MS);
        function look(): void {
          const found = frames.find(test);
          if (found !== undefined) {
            clearTimeout(deadline);
            waiting.delete(look);
            resolve(found);
          }
        }
        waiting.add(look);
        look();
      }),
  };
}

export function identify(socket: RawSocket, discord: LocalDiscord, more: object = {}): void {
  socket.send(2, { token: discord.token, intents: 1, properties: {}, ...more });
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  // What stands in it is what the test looks at.
  readonly json: Record<string, unknown>;
}

export interface RawScene extends AsyncDisposable {
  readonly discord: CommunityDiscord;
  readonly clock: Awaited<ReturnType<typeof openDiscord>>["clock"];
  readonly socket: RawSocket;
  readonly general: Channel;
  readonly ada: Member;
  readonly api: (method: string, path: string, body?: unknown) => Promise<RawAnswer>;
  /** Ada runs /echo. Returns the paths of its callback and its webhook. */
  interact(): Promise<{
    readonly callback: string;
    readonly webhook: string;
    readonly ended: Promise<unknown>;
  }>;
}

/** Opens a bot that is logged in with the bot's intents and has registered /echo. */
export async function openRawScene(): Promise<RawScene> {
  const { discord, clock } = await openDiscord();
  const socket = await openSocket(discord);
  identify(socket, discord, { intents: 1 | (1 << 9) | (1 << 12) });
  await socket.until(({ t }) => t === "GUILD_CREATE");

  async function api(method: string, path: string, body?: unknown): Promise<RawAnswer> {
    const response = await fetch(`${discord.baseUrl}/api/v10${path}`, {
      method,
      headers: {
        authorization: `Bot ${discord.token}`,
        ...(body instanceof FormData ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    // Every body of the API is an object or an array.
    const json = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
    return { status: response.status, headers: response.headers, json };
  }

  const path = `/applications/${discord.applicationId}/commands`;
  await api("PUT", path, [{ name: "echo", description: "Says it again" }]);
  const { general } = discord.community.channels;
  const ada = discord.member("Ada");
  return {
    discord,
    clock,
    socket,
    general,
    ada,
    api,
    async interact() {
      const before = socket.frames.length;
      const ended = ada.slash(general, "echo").catch((error: unknown) => error);
      const { d } = await socket.until(
        (frame) => socket.frames.indexOf(frame) >= before && frame.t === "INTERACTION_CREATE",
      );
      const { id, token } = d;
      return {
        callback: `/interactions/${String(id)}/${String(token)}/callback`,
        webhook: `/webhooks/${discord.applicationId}/${String(token)}`,
        ended,
      };
    },
    async [Symbol.asyncDispose]() {
      socket.terminate();
      await discord.close();
      clock.stop();
    },
  };
}

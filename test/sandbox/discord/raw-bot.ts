// A bot without a library, for raw frames and requests that discord.js would never send.
import { once } from "node:events";
import { WebSocket } from "ws";
import type { CommunityDiscord } from "../../../sandbox/community.ts";
import type { Member } from "../../../sandbox/discord/actors/member.ts";
import type { Channel } from "../../../sandbox/discord/entities.ts";
import type { LocalDiscord } from "../../../sandbox/discord/server.ts";
import { openDiscord } from "./open-client.ts";

/** Real milliseconds within which a frame must arrive. */
const DEADLINE_MS = 30_000;

interface Frame {
  readonly op: number;
  readonly t: string | null;
  readonly s: number | null;
  // Each test checks the fields that it uses.
  readonly d: Record<string, unknown>;
}

export interface RawSocket {
  readonly frames: Frame[];
  send(op: number, d: unknown): void;
  sendText(text: string): void;
  /** Resolves with the first matching frame, already received or still to come. */
  until(test: (frame: Frame) => boolean): Promise<Frame>;
  /** The close code. */
  readonly closed: Promise<number>;
  close(code?: number): void;
  terminate(): void;
}

/** Connects to the gateway. `query` is the query string of the connection. */
export async function openSocket(discord: LocalDiscord, query = "?v=10&encoding=json"): Promise<RawSocket> {
  const socket = new WebSocket(`${discord.baseUrl.replace("http", "ws")}/gateway${query}`);
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  socket.on("message", (data: Buffer) => {
    // The server sends only frames.
    frames.push(JSON.parse(data.toString("utf8")) as Frame);
    for (const check of waiting) {
      check();
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
          waiting.delete(check);
          const received = frames.map(({ op, t }) => t ?? `op ${op}`).join(", ");
          reject(
            new Error(`no matching frame arrived within ${DEADLINE_MS} ms of real time, only: ${received}`),
          );
        }, DEADLINE_MS);
        function check(): void {
          const found = frames.find(test);
          if (found !== undefined) {
            clearTimeout(deadline);
            waiting.delete(check);
            resolve(found);
          }
        }
        waiting.add(check);
        check();
      }),
  };
}

export function identify(socket: RawSocket, discord: LocalDiscord, more: object = {}): void {
  socket.send(2, { token: discord.token, intents: 1, properties: {}, ...more });
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  // Each test checks the fields that it uses.
  readonly json: Record<string, unknown>;
}

export interface RawScene extends AsyncDisposable {
  readonly discord: CommunityDiscord;
  readonly clock: Awaited<ReturnType<typeof openDiscord>>["clock"];
  readonly socket: RawSocket;
  readonly general: Channel;
  readonly ada: Member;
  readonly api: (method: string, path: string, body?: unknown) => Promise<RawAnswer>;
  /**
   * Runs /echo as Ada. Returns the paths of the interaction's callback and webhook. `ended` resolves with the answer or
   * with the error.
   */
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

// Sends interactions without the sandbox's checks, so that the bots limit the measurement: copies an interaction that
// the sandbox made, hands it directly to the gateway's sessions, and answers its callback with an empty 204 before the
// sandbox sees it.
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { close, listen } from "../sandbox/http/listen.ts";
import type { World } from "../sandbox/world.ts";

export interface InteractionLoad extends AsyncDisposable {
  /** For the bot's `DISCORD_API_BASE_URL`. Everything except callbacks of this load is passed on to the sandbox. */
  readonly apiUrl: string;
  /** Sets the sandbox behind it; call it before any bot starts. */
  standBefore(discord: World["discord"]): void;
  /** Makes `send` copy the sandbox's last interaction from now on. */
  copyLast(): void;
  /** Sends a copy. Settles when its callback arrives, with the real milliseconds in between. */
  send(): Promise<number>;
}

interface Template {
  readonly id: string;
  readonly guild_id: string;
}

const CALLBACK = /^\/api\/v10\/interactions\/(\d+)\//;

export async function openInteractionLoad(): Promise<InteractionLoad> {
  let discord: World["discord"] | undefined;
  let template: Template | undefined;
  let lastId = 0n;
  const awaited = new Map<string, (arrivedMs: number) => void>();

  function receive(incoming: IncomingMessage, response: ServerResponse): void {
    const id = CALLBACK.exec(incoming.url ?? "")?.[1] ?? "";
    const arrived = awaited.get(id);
    if (arrived === undefined) {
      pass(incoming, response, discord?.baseUrl ?? "");
      return;
    }
    awaited.delete(id);
    arrived(performance.now());
    incoming.resume().on("end", () => response.writeHead(204).end());
  }

  const server = createServer(receive);
  const baseUrl = await listen(server, 0);
  return {
    apiUrl: `${baseUrl}/api`,
    standBefore(behind) {
      discord = behind;
    },
    copyLast() {
      const note = discord?.traffic.notes.findLast(
        (one) => one.kind === "gateway" && one.name === "INTERACTION_CREATE",
      );
      // The sandbox made it, and its formatInteraction sets these fields in a server's channel.
      template = (note?.kind === "gateway" ? note.data : undefined) as Template | undefined;
      lastId = BigInt(template?.id ?? 0);
    },
    async send() {
      if (discord === undefined || template === undefined) {
        throw new Error("there is no interaction to copy");
      }
      lastId += 1n;
      const id = String(lastId);
      const { promise, resolve } = Promise.withResolvers<number>();
      awaited.set(id, resolve);
      const startMs = performance.now();
      discord.gateway.dispatch("INTERACTION_CREATE", template.guild_id, {
        ...template,
        id,
        token: `copy-${id}`,
      });
      return (await promise) - startMs;
    },
    async [Symbol.asyncDispose]() {
      await close(server);
    },
  };
}

function pass(incoming: IncomingMessage, response: ServerResponse, baseUrl: string): void {
  const { method, headers, url } = incoming;
  const outgoing = forward(new URL(url ?? "/", baseUrl), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on("error", () => response.destroy());
  incoming.pipe(outgoing);
}

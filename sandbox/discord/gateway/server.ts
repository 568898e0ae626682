// Gateway v10: accepts sockets and keeps the sessions, connected or waiting to be resumed.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { Platform } from "../platform.ts";
import { serveConnection } from "./connection.ts";
import { OP } from "./payloads.ts";
import { publish, sessionsFor } from "./publish.ts";
import type { Session } from "./session.ts";

export interface Gateway {
  /** All that could still be resumed, connected ones too. */
  readonly sessions: ReadonlyMap<string, Session>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Tells the sessions of a guild's shard; without a guild, shard 0. */
  dispatch(name: string, guildId: string | undefined, data: unknown): void;
  /** Whether any session takes a guild's events, connected or waiting to be resumed. */
  hasSession(guildId: string | undefined): boolean;
  /** Tears all sockets. Sessions stay. */
  dropSockets(): void;
  /** Asks all clients to reconnect and resume (op 7). */
  askReconnect(): void;
  /** Invalidates all sessions (op 9); not resumable ones are forgotten. */
  invalidate(isResumable: boolean): void;
  /** Closes all sockets with a code. */
  closeSockets(code: number): void;
  close(): void;
}

export function createGateway(platform: Platform): Gateway {
  const sessions = new Map<string, Session>();
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const stopListening = platform.changes.listen((change) => publish(platform, sessions, change));

  return {
    sessions,
    upgrade(request, socket, head) {
      server.handleUpgrade(request, socket, head, (webSocket) => {
        webSocket.on("error", () => webSocket.terminate());
        serveConnection(platform, sessions, webSocket);
      });
    },
    dispatch(name, guildId, data) {
      for (const session of sessionsFor(sessions, guildId)) {
        session.dispatch(name, data);
      }
    },
    hasSession: (guildId) => sessionsFor(sessions, guildId).next().done !== true,
    dropSockets() {
      for (const session of sessions.values()) {
        session.disconnect();
      }
    },
    askReconnect() {
      for (const session of sessions.values()) {
        session.send(OP.reconnect, null);
      }
    },
    invalidate(isResumable) {
      for (const session of sessions.values()) {
        session.send(OP.invalidSession, isResumable);
        if (!isResumable) {
          sessions.delete(session.id);
        }
      }
    },
    closeSockets(code) {
      for (const session of sessions.values()) {
        session.disconnect(code);
      }
    },
    close() {
      stopListening();
      for (const client of server.clients) {
        client.terminate();
      }
      sessions.clear();
      server.close();
    },
  };
}

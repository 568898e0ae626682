// Gateway v10: accepts sockets and keeps the sessions that are connected or can be resumed.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { Platform } from "../platform.ts";
import type { GatewaySaid } from "../traffic.ts";
import { serveConnection, type GatewayParts } from "./connection.ts";
import { createGatewayFaults, type GatewayFaults } from "./faults.ts";
import { createIdentifyPace } from "./identify-pace.ts";
import { CLOSE, OP } from "./payloads.ts";
import { publish, sessionsFor } from "./publish.ts";
import type { Session } from "./session.ts";
import { createSessions } from "./sessions.ts";

export interface Gateway {
  /** All sessions that can be resumed, including connected ones. */
  readonly sessions: ReadonlyMap<string, Session>;
  readonly faults: GatewayFaults;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Sends an event to the sessions of a guild's shard; without a guild, of shard 0. */
  dispatch(name: string, guildId: string | undefined, data: unknown): void;
  /** Whether any session gets a guild's events, connected or waiting to be resumed. */
  hasSession(guildId: string | undefined): boolean;
  /** Breaks all sockets. Sessions remain. */
  dropSockets(): void;
  /** Stops reading from all sockets and leaves them open: heartbeats and closing frames get no answer. */
  stallSockets(): void;
  /** Asks all clients to reconnect and resume (op 7). */
  askReconnect(): void;
  /** Asks all clients for a heartbeat at once (op 1). */
  askHeartbeat(): void;
  /** Invalidates all sessions (op 9). Clients then resume, possibly on the same socket, or identify again. */
  invalidate(isResumable: boolean): void;
  /** Closes all sockets with a code. */
  closeSockets(code: number): void;
  close(): void;
}

/** `makeToken` creates the next token when Discord resets one; `onSaid` gets everything except heartbeats. */
export function createGateway(
  platform: Platform,
  makeToken: () => string,
  onSaid: (said: GatewaySaid) => void,
): Gateway {
  const faults = createGatewayFaults();
  const sessions = createSessions(platform, faults, onSaid);
  const pace = createIdentifyPace(platform);
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const stopListening = platform.changes.listen((change) => publish(platform, sessions.all, change));
  const parts: GatewayParts = {
    platform,
    sessions,
    faults,
    pace,
    onSaid,
    resetToken() {
      platform.state.application.token = makeToken();
      pace.clear();
      for (const session of sessions.all.values()) {
        sessions.end(session);
        session.disconnect("rule", ...CLOSE.authenticationFailed);
      }
    },
  };

  function accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const asked = new URL(request.url ?? "", platform.baseUrl).searchParams;
    const compression = asked.get("compress");
    const encoding = asked.get("encoding");
    if ((encoding ?? "json") !== "json" || compression !== null) {
      console.error(`the sandbox's gateway speaks no ${encoding} with ${compression ?? "no compression"}`);
      socket.end("HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    server.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on("error", () => webSocket.terminate());
      if (asked.get("v") === "10") {
        serveConnection(parts, webSocket);
      } else {
        webSocket.close(...CLOSE.invalidVersion);
      }
    });
  }

  return {
    sessions: sessions.all,
    faults,
    upgrade(request, socket, head) {
      let isTaken = false;
      const met = faults.pass("CONNECT", () => {
        if (!isTaken && !socket.destroyed) {
          isTaken = true;
          accept(request, socket, head);
        }
      });
      if (met === "drop") {
        socket.destroy();
      }
    },
    dispatch(name, guildId, data) {
      for (const session of sessionsFor(sessions.all, guildId)) {
        session.dispatch(name, data);
      }
    },
    hasSession: (guildId) => sessionsFor(sessions.all, guildId).next().done !== true,
    dropSockets() {
      for (const session of sessions.all.values()) {
        session.disconnect("demand");
      }
    },
    stallSockets() {
      for (const client of server.clients) {
        client.pause();
      }
    },
    askReconnect() {
      for (const session of sessions.all.values()) {
        session.send(OP.reconnect, null);
      }
    },
    askHeartbeat() {
      for (const session of sessions.all.values()) {
        session.send(OP.heartbeat, null);
      }
    },
    invalidate(isResumable) {
      for (const session of sessions.all.values()) {
        session.send(OP.invalidSession, isResumable);
        session.leave();
        if (isResumable) {
          sessions.lose(session);
        } else {
          sessions.end(session);
        }
      }
    },
    closeSockets(code) {
      for (const session of sessions.all.values()) {
        session.disconnect("demand", code);
      }
    },
    close() {
      stopListening();
      sessions.endAll();
      faults.clear();
      for (const client of server.clients) {
        client.terminate();
      }
      server.close();
    },
  };
}

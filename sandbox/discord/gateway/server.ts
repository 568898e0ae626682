// Gateway v10: accepts sockets and keeps the sessions that are connected or can be resumed.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { Platform } from "../platform.ts";
import type { GatewayPayload } from "../traffic.ts";
import { serveConnection, type GatewayParts } from "./connection.ts";
import { createGatewayFaults } from "./faults.ts";
import { createIdentifyLimiter } from "./identify.ts";
import { CLOSE, OP } from "./payloads.ts";
import { publish, sessionsFor } from "./publish.ts";
import { createSessions } from "./session.ts";

export type Gateway = ReturnType<typeof createGateway>;

/** `makeToken` creates the next token when Discord resets one; `onPayload` gets everything except heartbeats. */
export function createGateway(
  platform: Platform,
  makeToken: () => string,
  onPayload: (payload: GatewayPayload) => void,
) {
  const faults = createGatewayFaults();
  const sessions = createSessions(platform, faults, onPayload);
  const identifyLimiter = createIdentifyLimiter(platform);
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const stopListening = platform.changes.listen((change) => publish(platform, sessions.all, change));
  const parts: GatewayParts = {
    platform,
    sessions,
    faults,
    identifyLimiter,
    onPayload,
    resetToken() {
      platform.state.application.token = makeToken();
      identifyLimiter.clear();
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
      console.error(
        `the sandbox's gateway does not support ${encoding} with ${compression ?? "no compression"}`,
      );
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
    /** All sessions that can be resumed, including connected ones. */
    sessions: sessions.all,
    faults,
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
      let isTaken = false;
      const injected = faults.pass("CONNECT", () => {
        if (!isTaken && !socket.destroyed) {
          isTaken = true;
          accept(request, socket, head);
        }
      });
      if (injected === "drop") {
        socket.destroy();
      }
    },
    /** Sends an event to the sessions of a guild's shard; without a guild, of shard 0. */
    dispatch(name: string, guildId: string | undefined, data: unknown) {
      for (const session of sessionsFor(sessions.all, guildId)) {
        session.dispatch(name, data);
      }
    },
    /** Whether any session gets a guild's events, connected or waiting to be resumed. */
    hasSession: (guildId: string | undefined) => sessionsFor(sessions.all, guildId).next().done !== true,
    /** Breaks all sockets. Sessions remain. */
    dropSockets() {
      for (const session of sessions.all.values()) {
        session.disconnect("demand");
      }
    },
    /** Stops reading from all sockets and leaves them open: heartbeats and closing frames get no answer. */
    stallSockets() {
      for (const client of server.clients) {
        client.pause();
      }
    },
    /** Asks all clients to reconnect and resume (op 7). */
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
    /** Invalidates all sessions (op 9). Clients then resume, possibly on the same socket, or identify again. */
    invalidate(isResumable: boolean) {
      for (const session of sessions.all.values()) {
        session.send(OP.invalidSession, isResumable);
        session.detachWire();
        if (isResumable) {
          sessions.startExpiry(session);
        } else {
          sessions.end(session);
        }
      }
    },
    closeSockets(code: number) {
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

// Gateway sessions: each outlives its socket, numbers its events and keeps them for a RESUME.
import { createHash } from "node:crypto";
import type { WebSocket } from "ws";
import type { Platform } from "../platform.ts";
import type { GatewayPayload } from "../traffic.ts";
import type { GatewayFaults } from "./faults.ts";
import { nameOf } from "./payloads.ts";

/** How many events a session keeps. Older ones cannot be replayed. */
const KEPT_EVENTS = 2000;

export interface Shard {
  readonly id: number;
  readonly count: number;
}

/** Why the sandbox ended a socket: because of one of Discord's rules, or on demand of a test or the page. */
type WireEnd = "rule" | "demand";

export type Wire = ReturnType<typeof createWire>;

export function createWire(socket: WebSocket) {
  let endedBy: WireEnd | undefined;
  return {
    /** Does nothing if the socket is closed. */
    send: (text: string) => socket.send(text),
    /** `undefined` while it is open, or if the client ended it. */
    get endedBy() {
      return endedBy;
    },
    /** Closes after everything sent before; without a code, breaks the socket. */
    end(by: WireEnd, code?: number, reason?: string) {
      endedBy ??= by;
      if (code === undefined) {
        socket.terminate();
      } else {
        socket.close(code, reason);
      }
    },
  };
}

export type Session = ReturnType<typeof createSession>;

interface SessionParts {
  readonly id: string;
  readonly shard: Shard;
  readonly intents: number;
  readonly faults: GatewayFaults;
  readonly onPayload: (payload: GatewayPayload) => void;
}

function createSession(first: Wire, { faults, onPayload, ...identity }: SessionParts) {
  let wire: Wire | undefined = first;
  let sequence = 0;
  /** Frames of the events from `keptFrom + 1` on. */
  let kept: string[] = [];
  let keptFrom = 0;

  function forgetUpTo(last: number): void {
    const count = Math.min(last - keptFrom, kept.length);
    if (count > 0) {
      kept = kept.slice(count);
      keptFrom += count;
    }
  }

  function record(name: string, data: unknown, fault?: GatewayPayload["fault"]): void {
    const isKept = wire === undefined;
    onPayload({ direction: "to-bot", name, shardId: identity.shard.id, data, fault, isKept });
  }

  return {
    ...identity,
    get isConnected() {
      return wire !== undefined;
    },
    usesWire: (other: Wire) => wire === other,
    get sequence() {
      return sequence;
    },
    /** Sends an event now, or keeps it for a RESUME. */
    dispatch(name: string, data: unknown) {
      sequence += 1;
      const frame = JSON.stringify({ t: name, s: sequence, op: 0, d: data });
      kept.push(frame);
      if (kept.length > 2 * KEPT_EVENTS) {
        forgetUpTo(sequence - KEPT_EVENTS);
      }
      const now = wire;
      const fault = now === undefined ? undefined : faults.pass(name, () => now.send(frame), data);
      record(name, data, fault);
    },
    /** Sends any other operation, on demand; does nothing without an open socket. */
    send(op: number, data: unknown) {
      if (wire !== undefined) {
        wire.send(JSON.stringify({ t: null, s: null, op, d: data }));
        record(nameOf(op), data, "on-demand");
      }
    },
    /** Replaces the socket and replays everything after `sequence`; false if it no longer has all of it. */
    resume(next: Wire, after: number) {
      if (after < keptFrom) {
        return false;
      }
      wire?.end("rule");
      wire = next;
      for (const frame of kept.slice(after - keptFrom)) {
        next.send(frame);
      }
      return true;
    },
    /** Discards the events that the client has confirmed. */
    confirm: forgetUpTo,
    detach(closed: Wire) {
      if (wire === closed) {
        wire = undefined;
      }
    },
    /** Detaches from its socket, which stays open. */
    detachWire() {
      wire = undefined;
    },
    /** Closes the socket with a code; without a code, breaks it. */
    disconnect(by: WireEnd, code?: number, reason?: string) {
      const closing = wire;
      wire = undefined;
      closing?.end(by, code, reason);
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(
  platform: Platform,
  faults: GatewayFaults,
  onPayload: (payload: GatewayPayload) => void,
) {
  const all = new Map<string, Session>();
  const expiries = new Map<Session, () => void>();
  let begun = 0;

  function cancelExpiry(session: Session): void {
    expiries.get(session)?.();
    expiries.delete(session);
  }

  function end(session: Session): void {
    cancelExpiry(session);
    all.delete(session.id);
  }

  return {
    all,
    begin(wire: Wire, shard: Shard, intents: number) {
      begun += 1;
      const id = createHash("md5").update(`${platform.secret}:${begun}`).digest("hex");
      const session = createSession(wire, { id, shard, intents, faults, onPayload });
      all.set(id, session);
      return session;
    },
    has: (session: Session) => all.has(session.id),
    startExpiry(session: Session) {
      cancelExpiry(session);
      const { clock, settings } = platform;
      expiries.set(
        session,
        clock.after(settings.sessionLifeMs, () => end(session)),
      );
    },
    /** Resumes a session on a new socket; false if the missed events are no longer known. */
    resume(session: Session, wire: Wire, sequence: number) {
      const isResumed = session.resume(wire, sequence);
      if (isResumed) {
        cancelExpiry(session);
      }
      return isResumed;
    },
    /** Ends a session, so that it cannot be resumed. */
    end,
    endAll() {
      for (const session of all.values()) {
        end(session);
      }
    },
  };
}

// One gateway session: it outlives its socket, numbers its events and keeps them for a RESUME.
import type { GatewaySaid } from "../traffic.ts";
import type { InstalledGatewayFaults } from "./faults.ts";
import { nameOf } from "./payloads.ts";
import type { Wire, WireEnd } from "./wire.ts";

/** How many events a session keeps. Older ones cannot be replayed. */
const KEPT_EVENTS = 2000;

export interface Shard {
  readonly id: number;
  readonly count: number;
}

export interface SessionParts {
  readonly id: string;
  readonly shard: Shard;
  readonly intents: number;
  readonly faults: InstalledGatewayFaults;
  readonly onSaid: (said: GatewaySaid) => void;
}

export interface Session {
  readonly id: string;
  readonly shard: Shard;
  readonly intents: number;
  readonly isConnected: boolean;
  /** Whether this is its current socket. */
  isOn(wire: Wire): boolean;
  /** Number of the last event. */
  readonly sequence: number;
  /** Sends an event now, or keeps it for a RESUME. */
  dispatch(name: string, data: unknown): void;
  /** Sends any other operation, on demand; does nothing without an open socket. */
  send(op: number, data: unknown): void;
  /** Replaces the socket and replays everything after `sequence`; false if it no longer has all of it. */
  resume(wire: Wire, sequence: number): boolean;
  /** Discards the events that the client has confirmed. */
  confirm(sequence: number): void;
  detach(wire: Wire): void;
  /** Detaches from its socket, which stays open. */
  leave(): void;
  /** Closes the socket with a code; without a code, breaks it. */
  disconnect(by: WireEnd, code?: number, reason?: string): void;
}

export function createSession(first: Wire, { faults, onSaid, ...identity }: SessionParts): Session {
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

  function tell(name: string, data: unknown, fault?: GatewaySaid["fault"]): void {
    const isKept = wire === undefined;
    onSaid({ direction: "to-bot", name, shardId: identity.shard.id, data, fault, isKept });
  }

  return {
    ...identity,
    get isConnected() {
      return wire !== undefined;
    },
    get sequence() {
      return sequence;
    },
    isOn: (other) => wire === other,
    dispatch(name, data) {
      sequence += 1;
      const frame = JSON.stringify({ t: name, s: sequence, op: 0, d: data });
      kept.push(frame);
      if (kept.length > 2 * KEPT_EVENTS) {
        forgetUpTo(sequence - KEPT_EVENTS);
      }
      const now = wire;
      const fault = now === undefined ? undefined : faults.pass(name, () => now.send(frame));
      tell(name, data, fault);
    },
    send(op, data) {
      if (wire !== undefined) {
        wire.send(JSON.stringify({ t: null, s: null, op, d: data }));
        tell(nameOf(op), data, "moment");
      }
    },
    resume(next, after) {
      if (after < keptFrom) {
        return false;
      }
      wire?.terminate();
      wire = next;
      for (const frame of kept.slice(after - keptFrom)) {
        next.send(frame);
      }
      return true;
    },
    confirm: forgetUpTo,
    detach(closed) {
      if (wire === closed) {
        wire = undefined;
      }
    },
    leave() {
      wire = undefined;
    },
    disconnect(by, code, reason) {
      const closing = wire;
      wire = undefined;
      if (code === undefined) {
        closing?.terminate(by);
      } else {
        closing?.close(code, reason, by);
      }
    },
  };
}

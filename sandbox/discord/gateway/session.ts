// One gateway session: it outlives its socket, counts its events and keeps them for a RESUME.
import type { WebSocket } from "ws";

/** How many events a session keeps. Older ones cannot be replayed. */
const KEPT_EVENTS = 2000;

export interface Shard {
  readonly id: number;
  readonly count: number;
}

export interface Session {
  readonly id: string;
  readonly shard: Shard;
  readonly intents: number;
  readonly isConnected: boolean;
  /** Number of the last event. */
  readonly sequence: number;
  /** Milliseconds on the sandbox's clock since which it has no socket. */
  lostAtMs: number | undefined;
  /** Sends an event now, or keeps it for later. */
  dispatch(name: string, data: unknown): void;
  /** Sends any other operation; nothing where no socket is open. */
  send(op: number, data: unknown): void;
  /** Takes a new socket and replays everything after `sequence`; false where it cannot. */
  resume(socket: WebSocket, sequence: number): boolean;
  /** Forgets what the client says that it has. */
  confirm(sequence: number): void;
  detach(socket: WebSocket): void;
  /** Closes the socket with a code, or tears it where there is none. */
  disconnect(code?: number): void;
}

export function createSession(
  first: WebSocket,
  identity: { readonly id: string; readonly shard: Shard; readonly intents: number },
): Session {
  let socket: WebSocket | undefined = first;
  let sequence = 0;
  /** Frames of events `keptFrom + 1` and up. */
  let kept: string[] = [];
  let keptFrom = 0;

  function forgetUpTo(last: number): void {
    const count = Math.min(last - keptFrom, kept.length);
    if (count > 0) {
      kept = kept.slice(count);
      keptFrom += count;
    }
  }

  return {
    ...identity,
    lostAtMs: undefined,
    get isConnected() {
      return socket !== undefined;
    },
    get sequence() {
      return sequence;
    },
    dispatch(name, data) {
      sequence += 1;
      const frame = JSON.stringify({ t: name, s: sequence, op: 0, d: data });
      kept.push(frame);
      if (kept.length > 2 * KEPT_EVENTS) {
        forgetUpTo(sequence - KEPT_EVENTS);
      }
      socket?.send(frame);
    },
    send(op, data) {
      socket?.send(JSON.stringify({ t: null, s: null, op, d: data }));
    },
    resume(next, after) {
      if (after < keptFrom) {
        return false;
      }
      socket = next;
      for (const frame of kept.slice(after - keptFrom)) {
        next.send(frame);
      }
      return true;
    },
    confirm: forgetUpTo,
    detach(closed) {
      if (socket === closed) {
        socket = undefined;
      }
    },
    disconnect(code) {
      const closing = socket;
      socket = undefined;
      if (code === undefined) {
        closing?.terminate();
      } else {
        closing?.close(code);
      }
    },
  };
}

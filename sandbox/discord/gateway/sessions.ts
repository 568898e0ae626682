// All sessions of the gateway that are connected or can still be resumed.
import { createHash } from "node:crypto";
import type { Platform } from "../platform.ts";
import type { GatewaySaid } from "../traffic.ts";
import type { InstalledGatewayFaults } from "./faults.ts";
import { createSession, type Session, type Shard } from "./session.ts";
import type { Wire } from "./wire.ts";

export interface Sessions {
  readonly all: ReadonlyMap<string, Session>;
  begin(wire: Wire, shard: Shard, intents: number): Session;
  /** Whether the session is connected or can be resumed. */
  has(session: Session): boolean;
  /** Its socket is gone; the session expires after a while. */
  lose(session: Session): void;
  /** Continues it on a new socket; false if the missed events are no longer known. */
  resume(session: Session, wire: Wire, sequence: number): boolean;
  /** From now on it cannot be resumed. */
  end(session: Session): void;
  endAll(): void;
}

export function createSessions(
  platform: Platform,
  faults: InstalledGatewayFaults,
  onSaid: (said: GatewaySaid) => void,
): Sessions {
  const all = new Map<string, Session>();
  const expiries = new Map<Session, () => void>();
  let begun = 0;

  function keep(session: Session): void {
    expiries.get(session)?.();
    expiries.delete(session);
  }

  function end(session: Session): void {
    keep(session);
    if (all.get(session.id) === session) {
      all.delete(session.id);
    }
  }

  return {
    all,
    begin(wire, shard, intents) {
      begun += 1;
      const id = createHash("md5").update(`${platform.secret}:${begun}`).digest("hex");
      const session = createSession(wire, { id, shard, intents, faults, onSaid });
      all.set(id, session);
      return session;
    },
    has: (session) => all.get(session.id) === session,
    lose(session) {
      keep(session);
      const { clock, settings } = platform;
      expiries.set(
        session,
        clock.after(settings.sessionLifeMs, () => end(session)),
      );
    },
    resume(session, wire, sequence) {
      const isResumed = session.resume(wire, sequence);
      if (isResumed) {
        keep(session);
      }
      return isResumed;
    },
    end,
    endAll() {
      for (const session of all.values()) {
        end(session);
      }
    },
  };
}

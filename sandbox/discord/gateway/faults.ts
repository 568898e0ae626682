// Bad days of the gateway: what it says is lost, late or said twice.

export type GatewayFaultKind =
  /** Counted and kept for a RESUME, but not sent. */
  | "drop"
  /** Sent after `delayMs` of real time or when released, behind what was said since. */
  | "delay"
  /** Sent twice, with the same number. */
  | "duplicate";

export interface GatewayFault {
  /** E.g. `MESSAGE_CREATE` or `READY`; `HELLO`, `HEARTBEAT_ACK`; `CONNECT` is a socket that wants to be opened. */
  readonly event: string;
  readonly do: GatewayFaultKind;
  /** How many meet it. Default 1. */
  readonly times?: number;
  /** `delay`: how long. Default 50. */
  readonly delayMs?: number;
}

/** A fault that was added. */
export interface AddedGatewayFault {
  /** How many have met it. */
  readonly met: number;
  /** Sends at once what is delayed. */
  release(): void;
  /** Meets no more, and sends what is delayed. */
  remove(): void;
}

export interface GatewayFaults {
  add(fault: GatewayFault): AddedGatewayFault;
  /** Forgets all faults and sends what is delayed. */
  clear(): void;
}

/** The faults, and what the gateway needs of them. */
export interface InstalledGatewayFaults extends GatewayFaults {
  /** Lets something be said once, twice, later or not at all. Gives the fault that it met. */
  pass(event: string, say: () => void): GatewayFaultKind | undefined;
}

interface Entry {
  readonly fault: GatewayFault;
  readonly held: Set<() => void>;
  left: number;
  met: number;
}

const DEFAULT_DELAY_MS = 50;

export function createGatewayFaults(): InstalledGatewayFaults {
  const entries = new Set<Entry>();

  function release({ held }: Entry): void {
    for (const letGo of held) {
      letGo();
    }
  }

  function delay({ fault, held }: Entry, say: () => void): void {
    const letGo = () => {
      clearTimeout(timer);
      held.delete(letGo);
      say();
    };
    const timer = setTimeout(letGo, fault.delayMs ?? DEFAULT_DELAY_MS);
    held.add(letGo);
  }

  function take(event: string): Entry | undefined {
    for (const entry of entries) {
      if (entry.left > 0 && entry.fault.event === event) {
        entry.left -= 1;
        entry.met += 1;
        return entry;
      }
    }
    return undefined;
  }

  return {
    add(fault) {
      const entry: Entry = { fault, held: new Set(), left: fault.times ?? 1, met: 0 };
      entries.add(entry);
      return {
        get met() {
          return entry.met;
        },
        release: () => release(entry),
        remove() {
          entries.delete(entry);
          release(entry);
        },
      };
    },
    clear() {
      for (const entry of entries) {
        release(entry);
      }
      entries.clear();
    },
    pass(event, say) {
      const entry = entries.size === 0 ? undefined : take(event);
      switch (entry?.fault.do) {
        case undefined:
          say();
          break;
        case "drop":
          break;
        case "delay":
          if (entry !== undefined) {
            delay(entry, say);
          }
          break;
        case "duplicate":
          say();
          say();
      }
      return entry?.fault.do;
    },
  };
}

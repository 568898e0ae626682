// Injected faults of the gateway: what it sends is lost, delayed or duplicated.
import { createFaultList, type InjectedFault } from "../../faults/list.ts";

export type GatewayFaultKind =
  /** Counted and kept for a RESUME, but not sent. */
  | "drop"
  /** Sent after `delayMs` of real time or when released, after anything sent meanwhile. */
  | "delay"
  /** Sent twice, with the same sequence number. */
  | "duplicate";

export interface GatewayFault {
  /** An event such as `READY`, or `HELLO`, or `HEARTBEAT_ACK`; `CONNECT` is the opening of a socket. */
  readonly event: string;
  /** Whether it affects an event with this data. Default: all of them. */
  readonly affects?: (data: unknown) => boolean;
  readonly do: GatewayFaultKind;
  /** How many events it affects. Default 1. */
  readonly times?: number;
  /** `delay`: the delay. Default 50. */
  readonly delayMs?: number;
}

export type GatewayFaults = ReturnType<typeof createGatewayFaults>;

const DEFAULT_DELAY_MS = 50;

export function createGatewayFaults() {
  const list = createFaultList<GatewayFault>();

  function delay({ fault, releases }: InjectedFault<GatewayFault>, say: () => void): void {
    const release = () => {
      clearTimeout(timer);
      releases.delete(release);
      say();
    };
    const timer = setTimeout(release, fault.delayMs ?? DEFAULT_DELAY_MS);
    releases.add(release);
  }

  return {
    add: list.add,
    /** Removes all faults and sends what they delayed. */
    clear: list.clear,
    /** Calls `say` once, twice, later or not at all. Returns the fault that applied. */
    pass(event: string, say: () => void, data?: unknown) {
      const injected = list.take((fault) => fault.event === event && (fault.affects?.(data) ?? true));
      switch (injected?.fault.do) {
        case undefined:
          say();
          break;
        case "drop":
          break;
        case "delay":
          delay(injected, say);
          break;
        case "duplicate":
          say();
          say();
      }
      return injected?.fault.do;
    },
  };
}

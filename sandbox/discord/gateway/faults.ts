// Bad days of the gateway: what it says is lost, late or said twice.
import { createFaultList, type AddedFault, type MetFault } from "../../faults/list.ts";

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

export interface GatewayFaults {
  add(fault: GatewayFault): AddedFault;
  /** Forgets all faults and sends what is delayed. */
  clear(): void;
}

/** The faults, and what the gateway needs of them. */
export interface InstalledGatewayFaults extends GatewayFaults {
  /** Lets something be said once, twice, later or not at all. Gives the fault that it met. */
  pass(event: string, say: () => void): GatewayFaultKind | undefined;
}

const DEFAULT_DELAY_MS = 50;

export function createGatewayFaults(): InstalledGatewayFaults {
  const list = createFaultList<GatewayFault>();

  function delay({ fault, held }: MetFault<GatewayFault>, say: () => void): void {
    const letGo = () => {
      clearTimeout(timer);
      held.delete(letGo);
      say();
    };
    const timer = setTimeout(letGo, fault.delayMs ?? DEFAULT_DELAY_MS);
    held.add(letGo);
  }

  return {
    add: list.add,
    clear: list.clear,
    pass(event, say) {
      const met = list.take((fault) => fault.event === event);
      switch (met?.fault.do) {
        case undefined:
          say();
          break;
        case "drop":
          break;
        case "delay":
          if (met !== undefined) {
            delay(met, say);
          }
          break;
        case "duplicate":
          say();
          say();
      }
      return met?.fault.do;
    },
  };
}

// What one of the stand-ins knows of the calls it got.
import { signal, type Signal } from "@preact/signals";
import type { Service } from "../../../../control/api/targets.ts";
import { ask } from "../../api/request.ts";
import { coalesce } from "../../state/coalesce.ts";
import { useLive } from "./use-live.ts";

/** A ledger is asked for at most once in this many milliseconds, however many calls there are. */
const REST_MS = 250;

export interface LedgerState<T> {
  /** `undefined` until it came. */
  readonly value: Signal<T | undefined>;
  readonly refresh: () => Promise<void>;
  /** For the component that shows it: keeps it up to date meanwhile. */
  readonly use: () => T | undefined;
}

export function createLedger<T>(service: Service): LedgerState<T> {
  const value = signal<T | undefined>(undefined);
  const refresh = async () => {
    value.value = await ask<T>(service);
  };
  const refreshSlowly = coalesce(async () => {
    await refresh();
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  });
  return {
    value,
    refresh,
    use() {
      useLive(refresh, (event) => {
        if (event.type === "ledger" && event.service === service) {
          // A break is told of by the page; when it is over, all is fetched anew.
          void refreshSlowly().catch(() => undefined);
        }
      });
      return value.value;
    },
  };
}

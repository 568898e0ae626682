// The sandbox's clock, as far as the page can tell between two words from it.
import { signal } from "@preact/signals";
import type { ClockRate, ClockState } from "../../../control/api.ts";
import { ask } from "../api/request.ts";
import { listen } from "./live.ts";

let toldMs = Date.now();
let heardAt = performance.now();
let pace = 1;

/** How fast the sandbox's time goes by. */
export const rate = signal<ClockRate>(1);

/** Milliseconds since the epoch, on the sandbox's clock. */
export function nowMs(): number {
  return toldMs + (performance.now() - heardAt) * pace;
}

/** `nowMs` at the last beat, of which there is one each second; components that tell the time read it. */
export const second = signal(toldMs);

/** Begins to follow it. A test's clock may stand still. */
export async function followClock(): Promise<void> {
  const told = await ask<ClockState>("clock");
  const isStill = told.mode === "still";
  setClock(told.nowMs, told.rate, isStill);
  listen("clock", (event) => setClock(event.nowMs, event.rate, isStill));
  setInterval(() => {
    second.value = nowMs();
  }, 1000);
}

function setClock(atMs: number, nextRate: ClockRate, isStill: boolean): void {
  toldMs = atMs;
  heardAt = performance.now();
  rate.value = nextRate;
  pace = isStill ? 0 : nextRate;
  second.value = atMs;
}

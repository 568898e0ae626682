// The sandbox's clock, as far as the page can tell between two words from it.
import { effect, signal } from "@preact/signals";
import type { ClockRate, ClockState } from "../../../control/api/clock.ts";
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

/** `nowMs` at the last beat, of which there is one each second; components that tell how long ago something was read it. */
export const second = signal(toldMs);

/** The same for clocks: while time runs fast it beats as often as the eye can follow. */
export const moment = signal(toldMs);

/** Real milliseconds between two beats of `moment`, while time runs fast. */
const FAST_BEAT_MS = 100;
const SECOND_MS = 1000;

/** Begins to follow it. A test's clock may stand still. */
export async function followClock(): Promise<void> {
  const told = await ask<ClockState>("clock");
  const isStill = told.mode === "still";
  setClock(told.nowMs, told.rate, isStill);
  listen("clock", (event) => setClock(event.nowMs, event.rate, isStill));
  beat();
  // The inner one ends as soon as time runs as usual again.
  effect(() => {
    const timer = rate.value === 1 ? undefined : setInterval(tellMoment, FAST_BEAT_MS);
    return () => clearInterval(timer);
  });
}

/** At the turn of each second, so that no clock is late by a part of one. */
function beat(): void {
  second.value = nowMs();
  tellMoment();
  setTimeout(beat, pace === 1 ? SECOND_MS - (nowMs() % SECOND_MS) : SECOND_MS);
}

function tellMoment(): void {
  moment.value = nowMs();
}

function setClock(atMs: number, nextRate: ClockRate, isStill: boolean): void {
  toldMs = atMs;
  heardAt = performance.now();
  rate.value = nextRate;
  pace = isStill ? 0 : nextRate;
  second.value = atMs;
  moment.value = atMs;
}

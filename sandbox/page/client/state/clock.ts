// The sandbox's clock, as far as the page can tell between two words from it.
import { signal } from "@preact/signals";
import type { ClockOrder, ClockState } from "../../../control/api/clock.ts";
import { ask, send } from "../api/request.ts";
import { listen } from "./live.ts";
import { reportFailure } from "./toast.ts";

let baseMs = Date.now();
let baseAt = performance.now();
let isStill = false;

/** Milliseconds since the epoch, on the sandbox's clock. */
export const nowMs = (): number => baseMs + (isStill ? 0 : performance.now() - baseAt);

/** `nowMs` in whole seconds; components that tell the time, or how long ago something was, read it. */
export const second = signal(baseMs);

/** Real milliseconds between two looks: as often as the eye can follow where time is turned fast. */
const UPDATE_EVERY_MS = 100;

/** Begins to follow it. A test's clock may stand still. */
export async function followClock(): Promise<void> {
  const state = await ask<ClockState>("clock");
  isStill = state.mode === "still";
  setClock(state.nowMs);
  listen("clock", (event) => setClock(event.nowMs));
  updateSecond();
  setInterval(updateSecond, UPDATE_EVERY_MS);
}

function updateSecond(): void {
  second.value = nowMs() - (nowMs() % 1000);
}

function setClock(atMs: number): void {
  baseMs = atMs;
  baseAt = performance.now();
}

/** Settles when the bot has done what was due. Throws ApiError. */
export async function orderClock(order: ClockOrder): Promise<void> {
  setClock((await send<ClockState>("clock", order)).nowMs);
}

/** Whether an hour passes in a minute. */
export const isFast = signal(false);
/** Stays true for the last step after the fast clock is turned off, so that turning it on again does not start a second loop. */
let isLoopRunning = false;

/** Ten seconds of the sandbox's time, the bot's own interval, after every sixth of a second. */
const STEP = { passMs: 10_000, everyMs: 10_000 / 60 };

export function setFast(isOn: boolean): void {
  isFast.value = isOn;
  if (isOn && !isLoopRunning) {
    void reportFailure(runFast());
  }
}

async function runFast(): Promise<void> {
  isLoopRunning = true;
  try {
    while (isFast.value) {
      const rest = new Promise((resolve) => setTimeout(resolve, STEP.everyMs));
      await orderClock({ passMs: STEP.passMs });
      await rest;
    }
  } finally {
    isLoopRunning = false;
    isFast.value = false;
  }
}

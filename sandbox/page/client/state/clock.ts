// The sandbox's clock. Between two updates from the sandbox, the page advances it in real time.
import { signal } from "@preact/signals";
import type { ClockOrder, ClockState } from "../../../control/api/clock.ts";
import { ask, send } from "../api/request.ts";
import { listen } from "./live.ts";
import { reportFailure } from "./toast.ts";

/** The last time that the sandbox reported, and when it arrived, by `performance.now()`. */
let baseMs = Date.now();
let baseAt = performance.now();
let isStill = false;

/** Milliseconds since the epoch, on the sandbox's clock. */
export const nowMs = (): number => baseMs + (isStill ? 0 : performance.now() - baseAt);

/** `nowMs` rounded down to a second. Components that show a time, or how long ago something was, read this signal. */
export const second = signal(baseMs);

/** In real time. Even when time runs fast, more frequent updates would not look smoother. */
const UPDATE_EVERY_MS = 100;

/** Fetches the clock and keeps it up to date. In tests, the clock may stand still. */
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

/** Moves the clock. Resolves when the bot has done what has become due. Throws ApiError. */
export async function orderClock(order: ClockOrder): Promise<void> {
  setClock((await send<ClockState>("clock", order)).nowMs);
}

/** Whether an hour of the sandbox's time passes in a minute of real time. */
export const isFast = signal(false);
/** Stays true for the last step after the fast clock is turned off, so that turning it on again does not start a second loop. */
let isLoopRunning = false;

/** Ten seconds, which is the interval of the bot's own ticks, pass every sixth of a second. */
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

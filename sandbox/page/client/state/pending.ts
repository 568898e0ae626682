// Acts that the bot has not acknowledged yet, or never did: drawn where its answer will stand.
import { signal } from "@preact/signals";

/** A command on its way. */
export interface Pending {
  readonly key: number;
  readonly channelId: string;
  /** E.g. `/departures`. */
  readonly what: string;
  /** `undefined` while it is on its way; else what went wrong, for a person. */
  readonly problem: string | undefined;
  readonly retry: () => void;
}

export const pending = signal<readonly Pending[]>([]);

/** By message: why the press of something on it failed. */
export const failedPresses = signal<ReadonlyMap<string, string>>(new Map());

let lastKey = 0;

export function addPending(what: Omit<Pending, "key" | "problem">): number {
  lastKey += 1;
  pending.value = [...pending.value, { ...what, key: lastKey, problem: undefined }];
  return lastKey;
}

export function failPending(key: number, problem: string): void {
  pending.value = pending.value.map((one) => (one.key === key ? { ...one, problem } : one));
}

export function dropPending(key: number): void {
  pending.value = pending.value.filter((one) => one.key !== key);
}

/** `undefined` takes the word back. */
export function tellFailedPress(messageId: string, problem: string | undefined): void {
  if (problem === undefined && !failedPresses.value.has(messageId)) {
    return;
  }
  const next = new Map(failedPresses.value);
  if (problem === undefined) {
    next.delete(messageId);
  } else {
    next.set(messageId, problem);
  }
  failedPresses.value = next;
}

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

/** Why the last press of something on a message failed; `undefined` when it didn't. */
export const failedPress = signal<{ readonly messageId: string; readonly problem: string } | undefined>(
  undefined,
);

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

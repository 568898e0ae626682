// Signals that outlive a reload.
import { effect, signal, type Signal } from "@preact/signals";

const PREFIX = "signalbox.";

/** Begins with what was kept under this name if it is one of `allowed`, else with the first of them. */
export function remembered<const T extends string>(name: string, allowed: readonly [T, ...T[]]): Signal<T> {
  const kept = read(name);
  const value = signal<T>(allowed.find((one) => one === kept) ?? allowed[0]);
  effect(() => keep(name, value.value));
  return value;
}

/** A browser may forbid storage: then nothing is kept, and all goes on. */
function read(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // Kept for this visit only.
  }
}

// "Signalbox is thinking…", until the answer comes, or the time for it has passed.
import { useComputed } from "@preact/signals";
import { second } from "../state/clock.ts";

/** So long an interaction's token lives. */
const TOKEN_LIFE_MS = 15 * 60_000;

export function Thinking({ name, sinceMs }: { readonly name: string; readonly sinceMs: number }) {
  const isOver = useComputed(() => second.value - sinceMs >= TOKEN_LIFE_MS);
  return isOver.value ? (
    <p class="alarm">The application did not respond.</p>
  ) : (
    <p class="soft">{name} is thinking…</p>
  );
}

// A short notice at the bottom of the page, which disappears after a few seconds.
import { signal } from "@preact/signals";
import { errorText } from "../api/request.ts";

type Tone = "plain" | "danger";

const LIFE_MS = 6000;

export const toast = signal<{ readonly text: string; readonly tone: Tone } | undefined>(undefined);

let timer = 0;

export function showToast(text: string, tone: Tone = "plain"): void {
  clearTimeout(timer);
  toast.value = { text, tone };
  timer = setTimeout(() => {
    toast.value = undefined;
  }, LIFE_MS);
}

/** Shows a toast if the work fails. Resolves when the work has ended, either way. */
export function reportFailure(work: Promise<unknown>): Promise<void> {
  return work.then(
    () => undefined,
    (error: unknown) => showToast(errorText(error), "danger"),
  );
}

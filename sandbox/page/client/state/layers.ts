// What lies above the page, one of each at a time: a menu, a picture, a drawer on a phone.
import { signal } from "@preact/signals";
import type { IconName } from "../kit/icon.tsx";

export interface MenuEntry {
  readonly label: string;
  readonly icon: IconName;
  readonly run: () => void;
}

export interface OpenedMenu {
  readonly label: string;
  /** Pixels of the window. */
  readonly at: { readonly x: number; readonly y: number };
  readonly entries: readonly MenuEntry[];
}

export const openedMenu = signal<OpenedMenu | undefined>(undefined);

/** A picture shown large. */
export const lightbox = signal<{ readonly url: string; readonly description: string } | undefined>(undefined);

/** On a phone: what slid in from the side. */
export const drawer = signal<"places" | "people" | "inspector" | undefined>(undefined);

/** The message to show and point out; cleared once it was. */
export const jumpTarget = signal<string | undefined>(undefined);

/** Counts how often the end of the channel was asked for, e.g. because the member said something. */
export const scrollRequests = signal(0);

export function scrollToEnd(): void {
  scrollRequests.value += 1;
}

/** As in the styles: a window as narrow as a phone, where columns are drawers. */
const NARROW = matchMedia("(max-width: 47.99rem)");

export const isNarrow = signal(NARROW.matches);

NARROW.addEventListener("change", () => {
  isNarrow.value = NARROW.matches;
});

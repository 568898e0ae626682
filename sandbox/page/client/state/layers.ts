// What is open above the page, at most one of each: a menu, a picture, a drawer on a phone. Also where the chat scrolls to.
import { signal } from "@preact/signals";
import type { IconName } from "../kit/icon.tsx";

export interface MenuEntry {
  readonly label: string;
  readonly icon: IconName;
  readonly run: () => void;
}

export interface OpenedMenu {
  readonly label: string;
  /** Pixels from the top left corner of the window. */
  readonly at: { readonly x: number; readonly y: number };
  readonly entries: readonly MenuEntry[];
}

export const openedMenu = signal<OpenedMenu | undefined>(undefined);

export const lightbox = signal<{ readonly url: string; readonly description: string } | undefined>(undefined);

export const drawer = signal<"places" | "people" | "inspector" | undefined>(undefined);

/** The id of a message to scroll to and highlight; `undefined` again once that has happened. */
export const jumpTarget = signal<string | undefined>(undefined);

/** How often something has asked to scroll to the end of the channel, e.g. because the member sent a message. */
export const scrollRequests = signal(0);

export function scrollToEnd(): void {
  scrollRequests.value += 1;
}

/** The same breakpoint as in the styles: in a window as narrow as a phone, columns become drawers. */
const NARROW = matchMedia("(max-width: 47.99rem)");

export const isNarrow = signal(NARROW.matches);

NARROW.addEventListener("change", () => {
  isNarrow.value = NARROW.matches;
});

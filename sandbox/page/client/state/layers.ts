// What lies above the page, one of each at a time: a menu, a person's card, a picture, a drawer on a phone.
import { signal } from "@preact/signals";
import type { ChatMessage } from "../../../control/chat/api.ts";
import type { IconName } from "../kit/icon.tsx";
import type { Spot } from "../kit/place-near.ts";

export interface MenuEntry {
  readonly label: string;
  readonly icon?: IconName;
  readonly isDangerous?: boolean;
  /** Entries of different groups have a line between them. */
  readonly group?: string;
  readonly run: () => void;
}

export interface OpenedMenu {
  readonly label: string;
  readonly at: Spot;
  readonly entries: readonly MenuEntry[];
}

export const openedMenu = signal<OpenedMenu | undefined>(undefined);

export const openedCard = signal<{ readonly userId: string; readonly at: Spot } | undefined>(undefined);

/** A picture or film shown large. */
export interface Shown {
  readonly url: string;
  readonly description: string;
  readonly isFilm: boolean;
}

export const lightbox = signal<{ readonly items: readonly Shown[]; readonly index: number } | undefined>(
  undefined,
);

/** On a phone: what slid in from the side. */
export const drawer = signal<"places" | "people" | "inspector" | undefined>(undefined);

/** The message that is deleted once that is confirmed. */
export const doomed = signal<ChatMessage | undefined>(undefined);

/** The message to show and point out; cleared once it was. */
export const jumpTarget = signal<string | undefined>(undefined);

/** Counts how often the end of the channel was asked for, e.g. because the member said something. */
export const wantedEnd = signal(0);

export function goToEnd(): void {
  wantedEnd.value += 1;
}

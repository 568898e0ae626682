// Which guild's channels are listed.
import { signal } from "@preact/signals";

/** A guild's id, or `directs`; `undefined`: the guild of the open channel. */
export const listedPlace = signal<string | undefined>(undefined);

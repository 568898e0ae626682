// Whether the window is as narrow as a phone: then columns are drawers.
import { signal } from "@preact/signals";

/** As in styles/narrow.css. */
const NARROW = matchMedia("(max-width: 47.99rem)");

export const isNarrow = signal(NARROW.matches);

NARROW.addEventListener("change", () => {
  isNarrow.value = NARROW.matches;
});

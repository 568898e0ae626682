// What the person at the page has chosen for themselves.
import { effect } from "@preact/signals";
import { remembered } from "./remembered.ts";

export const THEMES = ["system", "light", "dark"] as const;

export const theme = remembered("theme", THEMES);

/** How long the box waits for a pause in typing before it asks the bot. Discord does not say what its client does. */
export const DEBOUNCES_MS = ["150", "0", "250", "500"] as const;

export const debounceMs = remembered("debounce", DEBOUNCES_MS);

/** Whether the list of members stands beside the chat, where there is room. */
export const memberList = remembered("members", ["shown", "hidden"]);

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
});

// What the person at the page has chosen for themselves.
import { effect } from "@preact/signals";
import { remembered } from "./remembered.ts";

export const THEMES = ["system", "light", "dark"] as const;

export const theme = remembered("theme", THEMES);

/** Whether the list of members stands beside the chat, where there is room. */
export const memberList = remembered("members", ["shown", "hidden"]);

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
});

import { signal } from "@preact/signals";
import type { BotState } from "../../../control/api/bot.ts";
import { ask } from "../api/request.ts";
import { listen } from "./live.ts";

/** `none` means that the sandbox runs no bot, and any bot can log in, as in tests. */
export const bot = signal<BotState>({ state: "none", pid: null, starts: 0, problem: null });

export async function followBot(): Promise<void> {
  listen("bot", (event) => {
    bot.value = event;
  });
  bot.value = await ask<BotState>("bot");
}

// "Signalbox is typing…", for as long as something is being worked on.
import { Routes } from "discord.js";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { PacedRest } from "../paced-rest.ts";

export interface Typing {
  /** Shows it until it is stopped. */
  readonly start: () => void;
  readonly stop: () => void;
}

/** Discord shows it for ten seconds. */
const REPEAT_MS = 8_000;

/** `show` asks Discord once; what it throws is its own affair. */
export function createTyping(clock: Clock, show: () => void): Typing {
  let cancel: (() => void) | undefined;

  function start(): void {
    show();
    cancel = clock.after(REPEAT_MS, start);
  }

  return { start, stop: () => cancel?.() };
}

/** Asks Discord once. Never rejects: nobody misses it. */
export async function showTyping(paced: PacedRest, channelId: string, log: Log): Promise<void> {
  try {
    await paced.ask({ urgency: "prompt", sizeBytes: 0, heardMs: undefined }, (rest) =>
      rest.post(Routes.channelTyping(channelId)),
    );
  } catch (error) {
    log.debug({ error, channel: channelId }, "typing could not be shown");
  }
}

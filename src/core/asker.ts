// Who asks, from the interaction or message that came in down to the call that it costs, without passing it through
// every function between. Boards and watches have nobody who asks.
import { AsyncLocalStorage } from "node:async_hooks";

/** Who asks for something. */
export interface Asker {
  readonly userId: string;
  /** The server that has the bot; `undefined` in DMs and where only the person has installed it. */
  readonly guildId: string | undefined;
}

const askers = new AsyncLocalStorage<Asker>();

/** Runs `work`, and whatever follows from it, on behalf of somebody. */
export function runFor<T>(asker: Asker, work: () => T): T {
  return askers.run(asker, work);
}

/** On whose behalf this code runs; `undefined` for work that the bot does by itself. */
export function currentAsker(): Asker | undefined {
  return askers.getStore();
}

// Carries the asker, and the cost of the answer so far, to each call without passing them through every function.
import { AsyncLocalStorage } from "node:async_hooks";

export interface Asker {
  readonly userId: string;
  /** The server, if the bot is in it. `undefined` in DMs, and if only the person has installed the bot. */
  readonly guildId: string | undefined;
}

/** The interaction or message that is being answered, for the log. */
interface Trace {
  /** Every line that is logged while it is answered contains this id. */
  readonly id: string;
  /** When it arrived, in elapsed milliseconds. */
  readonly sinceMs: number;
  /** Requests to services so far, retries included. */
  calls: number;
  /** Answers that came from a cache. */
  hits: number;
}

const contexts = new AsyncLocalStorage<{
  readonly asker: Asker | undefined;
  readonly trace: Trace | undefined;
}>();

/**
 * Runs `work`, and everything that it calls, on behalf of somebody. `answering` is the interaction or message; by
 * default the current one.
 */
export function runFor<T>(
  asker: Asker | undefined,
  work: () => T,
  answering?: Pick<Trace, "id" | "sinceMs">,
): T {
  const trace = answering ? { ...answering, calls: 0, hits: 0 } : currentTrace();
  return contexts.run({ asker, trace }, work);
}

/** The person on whose behalf this code runs; `undefined` for work that the bot does automatically. */
export function currentAsker(): Asker | undefined {
  return contexts.getStore()?.asker;
}

/** `undefined` for work that the bot does automatically. */
export function currentTrace(): Trace | undefined {
  return contexts.getStore()?.trace;
}

// Carries the asker, and what answering has cost so far, from the interaction or message down to each call that it
// causes, without passing them through every function between. Boards and watches have no asker.
import { AsyncLocalStorage } from "node:async_hooks";

/** Who asks for something. */
export interface Asker {
  readonly userId: string;
  /** The server that has the bot; `undefined` in DMs and where only the person has installed it. */
  readonly guildId: string | undefined;
}

/** What is being answered, for the log. */
interface Trace {
  /** Of the interaction, or of the message. Each line that is logged meanwhile names it. */
  readonly id: string;
  /** When it came in, elapsed milliseconds. */
  readonly sinceMs: number;
  /** Requests to services so far, retries included. */
  calls: number;
  /** Answers that were given from a cache. */
  hits: number;
}

const contexts = new AsyncLocalStorage<{
  readonly asker: Asker | undefined;
  readonly trace: Trace | undefined;
}>();

/** Runs `work`, and whatever follows from it, on behalf of somebody; `answering` names what is being answered. */
export function runFor<T>(
  asker: Asker | undefined,
  work: () => T,
  answering?: Pick<Trace, "id" | "sinceMs">,
): T {
  return contexts.run({ asker, trace: answering && { ...answering, calls: 0, hits: 0 } }, work);
}

/** On whose behalf this code runs; `undefined` for work that the bot does by itself. */
export function currentAsker(): Asker | undefined {
  return contexts.getStore()?.asker;
}

/** What this code helps to answer; `undefined` for work that the bot does by itself. */
export function currentTrace(): Trace | undefined {
  return contexts.getStore()?.trace;
}

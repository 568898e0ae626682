import type { Command, Runnable } from "../../src/discord/command.ts";

/** A command that runs by itself. */
export function commandOf(runnable: Runnable): Command {
  const { path, definition } = runnable;
  return { name: path, definition, groups: new Map(), runnables: [runnable], components: [] };
}

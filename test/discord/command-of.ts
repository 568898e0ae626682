import type { Command, Runnable } from "../../src/discord/registry.ts";

/** Returns a command without subcommands that consists of this part. */
export function commandOf(runnable: Runnable): Command {
  const { path, definition } = runnable;
  return {
    name: path,
    description: definition.description,
    permission: definition.default,
    contexts: definition.contexts ?? ["guild", "bot-dm", "private-channel"],
    groups: new Map(),
    runnables: [runnable],
    components: [],
  };
}

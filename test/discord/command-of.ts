import type { AnyDefinition, Command } from "../../src/discord/registry.ts";

/** Returns a command without subcommands. */
export function commandOf(name: string, definition: AnyDefinition): Command {
  const { description, default: permission, ownerOnly } = definition;
  return {
    name,
    description,
    permission,
    contexts: definition.contexts ?? ["guild", "bot-dm", "private-channel"],
    groups: new Map(),
    runnables: [{ path: name, command: name, permission, ownerOnly, definition }],
    components: [],
  };
}

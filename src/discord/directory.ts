// The list of commands that /help shows, derived from the definitions.
import type { CommandDirectory, CommandSummary, OptionSummary } from "../services/help/directory.ts";
import { leavesOf, type Command, type Leaf } from "./command.ts";
import { rightsOf } from "./payload.ts";
import { commandKey, MESSAGE_MENU, SLASH, type CommandIds } from "./command-ids.ts";

/** The directory of what a registry offers; `commands` and `ids` are asked each time, since both come later. */
export function createCommandDirectory(
  commands: () => readonly Command[],
  ids: CommandIds,
): CommandDirectory {
  return { list: () => commands().flatMap((command) => summarise(command, ids)) };
}

function summarise(command: Command, ids: CommandIds): readonly CommandSummary[] {
  const { permission } = rightsOf(command);
  const leaves = leavesOf(command);
  return [
    ...leaves.map((leaf): CommandSummary => ({
      name: leaf.path.replace("/", " "),
      kind: "slash",
      description: leaf.definition.description,
      options: optionsOf(leaf),
      permission,
      id: ids.get(commandKey(SLASH, command.name)),
    })),
    ...leaves.flatMap(({ definition }): readonly CommandSummary[] =>
      definition.messageMenu
        ? [
            {
              name: definition.messageMenu.name,
              kind: "message-menu",
              description: definition.description,
              options: [],
              permission,
              id: ids.get(commandKey(MESSAGE_MENU, definition.messageMenu.name)),
            },
          ]
        : [],
    ),
  ];
}

function optionsOf({ definition }: Leaf): readonly OptionSummary[] {
  return Object.entries(definition.options ?? {}).map(([name, option]) => ({
    name,
    description: option.description,
    required: option.required ?? false,
  }));
}

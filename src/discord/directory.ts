// The list of commands that /help shows, derived from the definitions.
import type { CommandDirectory, CommandSummary, OptionSummary } from "../services/help/directory.ts";
import { leavesOf, type Command, type Leaf } from "./command.ts";
import { rightsOf } from "./payload.ts";
import { commandKey, MESSAGE_MENU, SLASH, type CommandIds } from "./command-ids.ts";

/**
 * The directory of what a registry offers; `commands` and `ids` are asked each time, since both come later, but the list
 * is made anew only when they have changed.
 */
export function createCommandDirectory(
  commands: () => readonly Command[],
  ids: CommandIds,
): CommandDirectory {
  let known: readonly Command[] = [];
  let entries: readonly Entry[] = [];
  let summaries: readonly CommandSummary[] = [];
  return {
    list() {
      const offered = commands();
      if (offered !== known) {
        known = offered;
        entries = offered.flatMap(summarise);
        summaries = [];
      }
      if (entries.some(({ key }, index) => summaries[index]?.id !== ids.get(key)) || summaries.length === 0) {
        summaries = entries.map(({ key, summary }) => ({ ...summary, id: ids.get(key) }));
      }
      return summaries;
    },
  };
}

/** A line of the directory, and what its id is found by. */
interface Entry {
  readonly key: string;
  readonly summary: Omit<CommandSummary, "id">;
}

function summarise(command: Command): readonly Entry[] {
  const { permission } = rightsOf(command);
  const leaves = leavesOf(command);
  return [
    ...leaves.map((leaf): Entry => ({
      key: commandKey(SLASH, command.name),
      summary: {
        name: leaf.path.replaceAll("/", " "),
        kind: "slash",
        description: leaf.definition.description,
        options: optionsOf(leaf),
        permission,
      },
    })),
    ...leaves.flatMap(({ definition: { messageMenu, description } }): readonly Entry[] =>
      messageMenu
        ? [
            {
              key: commandKey(MESSAGE_MENU, messageMenu.name),
              summary: { name: messageMenu.name, kind: "message-menu", description, options: [], permission },
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

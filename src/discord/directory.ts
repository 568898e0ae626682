// The list of commands that /help shows, derived from the definitions.
import { type Command, type Runnable, runnablesOf } from "./command.ts";

/**
 * The directory of what a registry offers, without commands whose needs are not configured. `commands` and `ids` are read
 * each time, since both come later.
 */
export function createCommandDirectory(commands: () => readonly Command[], ids: CommandIds) {
  let known: readonly Command[] = [];
  let entries: readonly Entry[] = [];
  let summaries: readonly CommandSummary[] = [];
  return {
    /** The same list as long as nothing in it changes. */
    list(): readonly CommandSummary[] {
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

/** A command's name so that it can be tapped, or `/name` before Discord has given it an id; `undefined` where it isn't offered. */
export type TapCommand = (name: string) => string | undefined;

export function createTapCommand(commands: () => readonly Command[], ids: CommandIds): TapCommand {
  return (name) => {
    const id = ids.get(commandKey(SLASH, name));
    if (!commands().some((command) => command.name === name)) {
      return undefined;
    }
    return id === undefined ? `\`/${name}\`` : `</${name}:${id}>`;
  };
}

interface Entry {
  readonly key: string;
  readonly summary: Omit<CommandSummary, "id">;
}

/** Without what is for the owner only. */
function summarise(command: Command): readonly Entry[] {
  const runnables = runnablesOf(command).filter(({ ownerOnly }) => !ownerOnly);
  return [
    ...runnables.map((runnable): Entry => ({
      key: commandKey(SLASH, command.name),
      summary: {
        name: runnable.path.replaceAll("/", " "),
        command: command.name,
        kind: "slash",
        description: runnable.definition.description,
        options: optionsOf(runnable),
      },
    })),
    ...runnables.flatMap(({ definition: { messageMenu, description } }): readonly Entry[] =>
      messageMenu
        ? [
            {
              key: commandKey(MESSAGE_MENU, messageMenu.name),
              summary: {
                name: messageMenu.name,
                command: command.name,
                kind: "message-menu",
                description,
                options: [],
              },
            },
          ]
        : [],
    ),
  ];
}

function optionsOf({ definition }: Runnable): CommandSummary["options"] {
  return Object.entries(definition.options ?? {}).map(([name, option]) => ({
    name,
    description: option.description,
    required: option.required ?? false,
  }));
}

export interface CommandSummary {
  /** With subcommands: `board subscribe`. Menus: their label. */
  readonly name: string;
  /** The registered command it belongs to, e.g. `board`; of a menu, the command whose file defines it. */
  readonly command: string;
  readonly kind: "slash" | "message-menu";
  readonly description: string;
  /** In the order of the definition. */
  readonly options: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
  /** Discord's id, once the command is registered there: makes a clickable mention. */
  readonly id: string | undefined;
}

export type CommandDirectory = ReturnType<typeof createCommandDirectory>;

// Discord's ids of the registered commands: known once they were compared with what is registered, and from every
// use of a command, because the process that registers them may be another one, and later.

/** By {@link commandKey}. */
export type CommandIds = ReadonlyMap<string, string>;

export const SLASH = 1;
export const MESSAGE_MENU = 3;

/** Key of a command: names are unique among those of one type. */
export function commandKey(type: number, name: string): string {
  return `${type}:${name}`;
}

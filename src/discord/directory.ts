// The list of commands that /help shows, derived from the definitions.
import type { Command, Runnable } from "./command.ts";

/** The directory of what a registry offers, without commands whose needs are not configured; `commands` come later. */
export function createCommandDirectory(commands: () => readonly Command[]) {
  let known: readonly Command[] = [];
  let summaries: readonly CommandSummary[] = [];
  let slash: ReadonlyMap<string, CommandSummary> = new Map();

  function list(): readonly CommandSummary[] {
    const offered = commands();
    if (offered !== known) {
      known = offered;
      summaries = offered.flatMap(summarise);
      slash = new Map(summaries.filter(({ kind }) => kind === "slash").map((each) => [each.name, each]));
    }
    return summaries;
  }

  return {
    /** The same list as long as nothing in it changes. */
    list,
    /** A slash command by its whole name, e.g. `board subscribe`. */
    slash(name: string): CommandSummary | undefined {
      list();
      return slash.get(name);
    },
  };
}

/** Without what is for the owner only. */
function summarise(command: Command): readonly CommandSummary[] {
  const runnables = command.runnables.filter(({ ownerOnly }) => !ownerOnly);
  return [
    ...runnables.map((runnable): CommandSummary => ({
      name: runnable.path.replaceAll("/", " "),
      command: command.name,
      kind: "slash",
      description: runnable.definition.description,
      options: optionsOf(runnable),
    })),
    ...runnables.flatMap(({ definition: { messageMenu, description } }): readonly CommandSummary[] =>
      messageMenu
        ? [{ name: messageMenu.name, command: command.name, kind: "message-menu", description, options: [] }]
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
}

export type CommandDirectory = ReturnType<typeof createCommandDirectory>;

/** Whether a command is offered here, by its first word. */
export type OffersCommand = (name: string) => boolean;

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

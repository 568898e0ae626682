// The list of commands that /help shows, derived from the definitions.
import type { Command, Runnable } from "./registry.ts";

export interface CommandSummary {
  /** The full name, e.g. `board subscribe`; for a menu, its label. */
  readonly name: string;
  /** The registered command it belongs to, e.g. `board`; for a menu, the command whose file defines it. */
  readonly command: string;
  readonly kind: "slash" | "message-menu";
  readonly description: string;
  /** A text that it also answers in a mention or a direct message, e.g. `York to Leeds`. */
  readonly example?: string | undefined;
  readonly options: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
}

export type CommandDirectory = ReturnType<typeof createCommandDirectory>;

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
    /** All commands and menus. Returns the same array until something changes. */
    list,
    /** A slash command by its full name, e.g. `board subscribe`. */
    slash(name: string): CommandSummary | undefined {
      list();
      return slash.get(name);
    },
  };
}

/** Leaves out commands that only the owner may use. Menus come last. */
function summarise(command: Command): readonly CommandSummary[] {
  const open = command.runnables.filter(({ ownerOnly }) => !ownerOnly);
  const shared = ({ definition: { description } }: Runnable) => ({ command: command.name, description });
  return [
    ...open.map((runnable): CommandSummary => ({
      ...shared(runnable),
      name: runnable.path.replaceAll("/", " "),
      kind: "slash",
      example: runnable.definition.messages?.words?.example,
      options: Object.entries(runnable.definition.options ?? {}).map(([name, option]) => ({
        name,
        description: option.description,
        required: option.required ?? false,
      })),
    })),
    ...open.flatMap((runnable): readonly CommandSummary[] => {
      const { messageMenu } = runnable.definition;
      return messageMenu
        ? [{ ...shared(runnable), name: messageMenu.name, kind: "message-menu", options: [] }]
        : [];
    }),
  ];
}

/** Whether the bot offers a command, by its first word. */
export type OffersCommand = (name: string) => boolean;

// Discord's ids of the registered slash commands. The bot learns them when it compares its commands with the registered
// ones, and from every use of a command, because another process may register them later.

export type CommandIds = ReturnType<typeof createCommandIds>;

export function createCommandIds() {
  let known: ReadonlyMap<string, string> = new Map();
  return {
    /** Ids by name. Returns a new map whenever an id has changed. */
    all: () => known,
    note(name: string, id: string): void {
      if (known.get(name) !== id) {
        known = new Map(known).set(name, id);
      }
    },
  };
}

/** Discord's types of commands. */
export const SLASH = 1;
export const MESSAGE_MENU = 3;

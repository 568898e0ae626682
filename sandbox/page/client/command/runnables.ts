// Commands and subcommands as one flat list of what a member can run. Pure.
import type { CommandOption, OfferedCommand } from "../../../control/chat/api.ts";
import { OPTION_TYPES } from "../../../discord/option-types.ts";

/** A command or a subcommand that can be run, e.g. `board subscribe`. */
export interface Runnable {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CommandOption[];
}

export const COMMAND_KINDS = { slash: 1, message: 3 } as const;

type Described = Pick<CommandOption, "name" | "description" | "options">;

/** Replaces a command that has subcommands by one entry for each of them. */
export function listRunnables(commands: readonly Described[]): Runnable[] {
  return commands.flatMap(({ name, description, options = [] }) => {
    const nested = options.filter(({ type }) => type <= OPTION_TYPES.group);
    return nested.length === 0
      ? [{ name, description, options }]
      : listRunnables(nested.map((one) => ({ ...one, name: `${name} ${one.name}` })));
  });
}

export function slashRunnables(commands: readonly OfferedCommand[]): Runnable[] {
  return listRunnables(commands.filter(({ kind }) => kind === COMMAND_KINDS.slash));
}

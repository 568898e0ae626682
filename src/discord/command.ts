// A command as the registry and the dispatcher handle it: the definition with its own types forgotten.
import type { CommandDefinition, InteractionContext, MessagesDefinition, Permission } from "./define.ts";
import type { ComponentsDefinition, ModalDefinition, SelectDefinition } from "./define/components.ts";
import type { Answer, Context } from "./define/context.ts";
import type { Options } from "./define/options.ts";
import type { Services } from "./define/services.ts";

type All = keyof Services;
type Any = Record<string, unknown>;

export type ComponentHandler = SelectDefinition<All, unknown>;
export type ModalHandler = ModalDefinition<All, unknown>;
export type MessagesHandler = MessagesDefinition<All>;
export type AnyComponents = ComponentsDefinition<All, Any, Any, Any>;

/** What `defineCommand` gave, whatever it needs and takes. */
export interface AnyDefinition extends Omit<CommandDefinition<All, Options<All>, Any, Any, Any>, "run"> {
  readonly run: (
    context: Context<All> & { readonly options: Readonly<Record<string, unknown>> },
  ) => Answer | Promise<Answer>;
}

/** A file of a command, with all that can be pressed there. */
export interface CommandFile {
  /** `departures`, `board/subscribe` or `video/account/link`: what component ids begin with. */
  readonly path: string;
  /** The registered command's name, e.g. `board`. */
  readonly command: string;
  /** Who may use it unless a server decides otherwise: every file of a folder has its command's. */
  readonly permission: Permission | undefined;
  /** Only the application's owner and team may use it. */
  readonly ownerOnly?: true | undefined;
  readonly definition: AnyComponents;
}

/** Something that runs: a command of its own, or one subcommand. */
export interface Runnable extends CommandFile {
  readonly definition: AnyDefinition;
}

export interface Command {
  readonly name: string;
  readonly description: string;
  /** Who may use it by default; `undefined` for everyone. */
  readonly permission: Permission | undefined;
  /** Where it is offered. */
  readonly contexts: readonly InteractionContext[];
  /** Descriptions of its subcommand groups by name, e.g. `account`. */
  readonly groups: ReadonlyMap<string, string>;
  /** Itself, with the path that is its name, or its subcommands: in the order of their file names, those of groups last. */
  readonly runnables: readonly Runnable[];
  /** Files of its folder that hold only what can be pressed, in the order of their names. */
  readonly components: readonly CommandFile[];
}

/** Where a runnable file stands in its command: `subscribe`, or a group and a name as in `account` and `link`. */
export function subcommandOf({ path }: Runnable): {
  readonly group: string | undefined;
  readonly name: string;
} {
  const [, ...steps] = path.split("/");
  return { group: steps.length > 1 ? steps[0] : undefined, name: steps.at(-1) ?? path };
}

export function commandFilesOf({ runnables, components }: Command): readonly CommandFile[] {
  return [...runnables, ...components];
}

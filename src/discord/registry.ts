// The commands as the dispatcher handles them, with the types of their own definitions forgotten: which of them this bot
// offers, and where each kind of interaction goes.
import type { ComponentTarget } from "../core/component-id.ts";
import type { CommandDefinition, InteractionContext, MessagesDefinition, Permission } from "./define.ts";
import type { ComponentsDefinition, ModalDefinition, SelectDefinition } from "./define/components.ts";
import type { Answer, Context, Services } from "./define/context.ts";
import type { Options } from "./define/options.ts";

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

export type Registry = ReturnType<typeof createRegistry>;

export interface MessageHandler {
  readonly runnable: Runnable;
  readonly handler: MessagesHandler;
}

/**
 * Leaves out what needs a service that is not there, and a folder of which nothing is left. Finders return `undefined` for
 * what this version of the bot does not know.
 */
export function createRegistry(all: readonly Command[], services: Partial<Services>) {
  const has = ({ definition }: CommandFile) =>
    (definition.needs ?? []).every((need) => services[need] !== undefined);
  const commands = all.flatMap((command): readonly Command[] => {
    const runnables = command.runnables.filter(has);
    return runnables.length === 0
      ? []
      : [{ ...command, runnables, components: command.components.filter(has) }];
  });
  const runnables = commands.flatMap((command) => command.runnables);
  const commandFiles = commands.flatMap(commandFilesOf);
  const paths = new Map(runnables.map((runnable) => [runnable.path, runnable]));
  const menus = new Map(
    runnables.flatMap((runnable) =>
      runnable.definition.messageMenu ? [[runnable.definition.messageMenu.name, runnable]] : [],
    ),
  );

  return {
    /** Those whose needs are configured. */
    commands,
    /** `subcommand` as `findSubcommand` of find-task.ts has it. */
    slash: (command: string, subcommand: string | undefined) =>
      paths.get(subcommand === undefined ? command : `${command}/${subcommand}`),
    messageMenu: (name: string) => menus.get(name),
    /** Those that answer messages which people send, in a server or in a DM, in the order of names. */
    messages: (context: InteractionContext): readonly MessageHandler[] =>
      commands.flatMap((command) =>
        command.runnables.flatMap((runnable) => {
          const handler = runnable.definition.messages;
          const contexts = handler?.contexts ?? command.contexts;
          return handler && contexts.includes(context) ? [{ runnable, handler }] : [];
        }),
      ),
    button: createFinder<ComponentHandler>(commandFiles, ({ definition }) => definition.buttons),
    select: createFinder<ComponentHandler>(commandFiles, ({ definition }) => definition.selects),
    modal: createFinder<ModalHandler>(commandFiles, ({ definition }) => definition.modals),
  };
}

function createFinder<H>(
  commandFiles: readonly CommandFile[],
  handlersOf: (commandFile: CommandFile) => Readonly<Record<string, H>> | undefined,
) {
  const found = new Map(
    commandFiles.flatMap((commandFile) =>
      Object.entries(handlersOf(commandFile) ?? {}).map(
        ([action, handler]) => [`${commandFile.path}:${action}`, { commandFile, handler }] as const,
      ),
    ),
  );
  return ({ command, action }: ComponentTarget) => found.get(`${command}:${action}`);
}

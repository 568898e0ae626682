// The commands as the dispatcher sees them: which ones this bot offers, and which handler an interaction needs.
import type { ComponentTarget } from "../core/component-id.ts";
import type {
  CommandDefinition,
  InteractionContext,
  MessagesDefinition,
  Permission,
  ComponentsDefinition,
  ModalDefinition,
  SelectDefinition,
} from "./define.ts";
import type { Answer, Context, Services } from "./define/context.ts";

type All = keyof Services;

export type ComponentHandler = SelectDefinition<All, unknown>;
export type ModalHandler = ModalDefinition<All, unknown>;
export type AnyComponents = ComponentsDefinition<All>;

export interface AnyDefinition extends Omit<CommandDefinition<All>, "run"> {
  readonly run: (
    context: Context<All> & { readonly options: Readonly<Record<string, unknown>> },
  ) => Answer | Promise<Answer>;
}

export interface CommandFile {
  /** `departures`, `board/subscribe` or `video/account/link`; component ids begin with it. */
  readonly path: string;
  /** The registered command's name, e.g. `board`. */
  readonly command: string;
  /** The permission needed, unless a server decides otherwise. It is the command's for every file of a folder. */
  readonly permission: Permission | undefined;
  readonly ownerOnly?: true | undefined;
  readonly definition: AnyComponents;
}

/** A command without subcommands, or a subcommand. */
export interface Runnable extends CommandFile {
  readonly definition: AnyDefinition;
}

export interface Command {
  readonly name: string;
  readonly description: string;
  /** The permission needed by default; `undefined` if everyone may use it. */
  readonly permission: Permission | undefined;
  readonly contexts: readonly InteractionContext[];
  /** Descriptions of its subcommand groups by name, e.g. `account`. */
  readonly groups: ReadonlyMap<string, string>;
  /** The command itself, or its subcommands in the order of their files' names, those of groups last. */
  readonly runnables: readonly Runnable[];
  /** Files of its folder that contain only components and forms, in the order of their names. */
  readonly components: readonly CommandFile[];
}

export function commandFilesOf({ runnables, components }: Command): readonly CommandFile[] {
  return [...runnables, ...components];
}

export type Registry = ReturnType<typeof createRegistry>;

export interface MessageHandler {
  readonly runnable: Runnable;
  readonly handler: MessagesDefinition<All>;
}

/** Leaves out files that need a service that is not configured, and commands that then have nothing to run. */
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

  return {
    commands,
    slash: (path: string) => paths.get(path),
    messageMenu: (name: string) => runnables.find(({ definition }) => definition.messageMenu?.name === name),
    /** Handlers for people's messages in a server or in a DM, in the order of their names. */
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

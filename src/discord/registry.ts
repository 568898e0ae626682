// Which commands this bot offers, and where each kind of interaction goes.
import type { ComponentTarget } from "../core/component-id.ts";
import type { Services } from "./define/services.ts";
import {
  type Command,
  type ComponentHandler,
  type Runnable,
  type MessagesHandler,
  type ModalHandler,
  type CommandFile,
  commandFilesOf,
} from "./command.ts";
import type { InteractionContext } from "./define.ts";

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

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

export interface Route<H> {
  readonly commandFile: CommandFile;
  readonly handler: H;
}

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
  const buttons = routesOf<ComponentHandler>(commandFiles, ({ definition }) => definition.buttons);
  const selects = routesOf<ComponentHandler>(commandFiles, ({ definition }) => definition.selects);
  const modals = routesOf<ModalHandler>(commandFiles, ({ definition }) => definition.modals);

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
    button: (target: ComponentTarget) => buttons.get(keyOf(target.command, target.action)),
    select: (target: ComponentTarget) => selects.get(keyOf(target.command, target.action)),
    modal: (target: ComponentTarget) => modals.get(keyOf(target.command, target.action)),
  };
}

function routesOf<H>(
  commandFiles: readonly CommandFile[],
  handlersOf: (commandFile: CommandFile) => Readonly<Record<string, H>> | undefined,
): ReadonlyMap<string, Route<H>> {
  return new Map(
    commandFiles.flatMap((commandFile) =>
      Object.entries(handlersOf(commandFile) ?? {}).map(([action, handler]) => [
        keyOf(commandFile.path, action),
        { commandFile, handler },
      ]),
    ),
  );
}

function keyOf(command: string, action: string): string {
  return `${command}:${action}`;
}

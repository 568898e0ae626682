// A command as the registry and the dispatcher handle it: the definition with its own types forgotten.
import type { z } from "zod";
import type { Services } from "./define/services.ts";
import type {
  CommandGroupDefinition,
  FileType,
  Permission,
  InteractionContext,
  SubcommandGroupDefinition,
} from "./define.ts";
import type { AnswerMode } from "./define/components.ts";
import type { Answer, Caller, Context } from "./define/context.ts";
import type { Attachment, MessageReference } from "./define/message.ts";
import type { Options } from "./define/options.ts";
import type { Reply } from "../core/reply.ts";

type AnyContext = Context<keyof Services>;

/** Where an answer goes, or how to find out. */
export type AnyAnswerMode =
  | AnswerMode
  | ((press: { readonly args: unknown; readonly caller: Caller }) => AnswerMode);

/** A button or a menu. */
export interface ComponentHandler {
  readonly args: z.ZodType;
  readonly answers?: AnyAnswerMode;
  readonly anyone?: true;
  readonly run: (
    context: AnyContext & {
      readonly args: unknown;
      readonly message: MessageReference;
      /** Menus only. */
      readonly chosen: readonly string[];
    },
  ) => Answer | Promise<Answer>;
}

/** A submitted form. */
export interface ModalHandler {
  readonly args: z.ZodType;
  readonly answers?: AnyAnswerMode;
  readonly run: (
    context: AnyContext & {
      readonly args: unknown;
      readonly message?: MessageReference | undefined;
      readonly fields: Readonly<Record<string, readonly string[]>>;
      readonly files: Readonly<Record<string, readonly Attachment[]>>;
    },
  ) => Reply | Promise<Reply>;
}

/** What is done with files that people send. */
export interface MessagesHandler {
  readonly fileTypes: readonly FileType[];
  readonly contexts?: readonly InteractionContext[];
  readonly run: (context: AnyContext & { readonly message: MessageReference }) => Reply | Promise<Reply>;
}

/** What `defineComponents` gave, whatever it needs. */
export interface AnyComponents {
  readonly needs?: readonly (keyof Services)[];
  readonly defer?: "public" | "private";
  readonly buttons?: Readonly<Record<string, ComponentHandler>>;
  readonly selects?: Readonly<Record<string, ComponentHandler>>;
  readonly modals?: Readonly<Record<string, ModalHandler>>;
}

/** What `defineCommand` gave, whatever it needs and takes. */
export interface AnyDefinition extends AnyComponents {
  readonly description: string;
  readonly options?: Options<keyof Services>;
  readonly default?: Permission;
  readonly contexts?: readonly InteractionContext[];
  readonly privateBy?: string;
  readonly run: (
    context: AnyContext & { readonly options: Readonly<Record<string, unknown>> },
  ) => Answer | Promise<Answer>;
  readonly messageMenu?: {
    readonly name: string;
    readonly run: (context: AnyContext & { readonly message: MessageReference }) => Answer | Promise<Answer>;
  };
  readonly messages?: MessagesHandler;
}

/** A file of a command, with all that can be pressed there. */
export interface CommandFile {
  /** `departures`, `board/subscribe` or `video/account/link`: what component ids begin with. */
  readonly path: string;
  /** The registered command's name, e.g. `board`. */
  readonly command: string;
  /** Who may use it unless a server decides otherwise: every file of a folder has its command's. */
  readonly permission: Permission | undefined;
  readonly definition: AnyComponents;
}

/** Something that runs: a command of its own, or one subcommand. */
export interface Runnable extends CommandFile {
  readonly definition: AnyDefinition;
}

interface AnyCommand {
  readonly name: string;
  /** Files of its folder that hold only what can be pressed, in the order of their names. */
  readonly components: readonly CommandFile[];
}

/** A command of its own. */
interface SingleCommand extends AnyCommand {
  readonly kind: "single";
  readonly runnable: Runnable;
}

/** A folder of subcommands. */
export interface CommandGroup extends AnyCommand {
  readonly kind: "group";
  readonly definition: CommandGroupDefinition;
  /** Words that several subcommands share, e.g. `account`. */
  readonly groups: ReadonlyMap<string, SubcommandGroupDefinition>;
  /** In the order of their file names; those of groups come last. */
  readonly runnables: readonly Runnable[];
}

export type Command = SingleCommand | CommandGroup;

/** Where a runnable file stands in its command: `subscribe`, or a group and a name as in `account` and `link`. */
export function subcommandOf({ path }: Runnable): {
  readonly group: string | undefined;
  readonly name: string;
} {
  const [, ...steps] = path.split("/");
  return { group: steps.length > 1 ? steps[0] : undefined, name: steps.at(-1) ?? path };
}

/** Everything of a command that runs. */
export function runnablesOf(command: Command): readonly Runnable[] {
  return command.kind === "single" ? [command.runnable] : command.runnables;
}

/** Everything of a command that can be pressed. */
export function commandFilesOf(command: Command): readonly CommandFile[] {
  return [...runnablesOf(command), ...command.components];
}

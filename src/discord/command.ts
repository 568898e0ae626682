// A command as the registry and the dispatcher handle it: the definition with its own types forgotten.
import type { z } from "zod";
import type { Services } from "./define/services.ts";
import type {
  CommandGroupDefinition,
  FileType,
  Permission,
  Place,
  SubcommandGroupDefinition,
} from "./define.ts";
import type { AnswerPlace } from "./define/components.ts";
import type { Answer, Caller, Context } from "./define/context.ts";
import type { Attachment, MessageReference } from "./define/message.ts";
import type { Options } from "./define/options.ts";
import type { Reply } from "../core/reply.ts";

type AnyContext = Context<keyof Services>;

/** Where an answer goes, or how to find out. */
export type AnyPlace =
  | AnswerPlace
  | ((press: { readonly args: unknown; readonly caller: Caller }) => AnswerPlace);

/** A button or a menu. */
export interface ComponentHandler {
  readonly args: z.ZodType;
  readonly answers?: AnyPlace;
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
  readonly answers?: AnyPlace;
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
  readonly places?: readonly Place[];
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
  readonly places?: readonly Place[];
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
export interface Part {
  /** `departures`, `board/subscribe` or `video/account/link`: what component ids begin with. */
  readonly path: string;
  /** The registered command's name, e.g. `board`. */
  readonly command: string;
  /** Who may use it unless a server decides otherwise: every file of a folder has its command's. */
  readonly permission: Permission | undefined;
  readonly definition: AnyComponents;
}

/** Something that runs: a command of its own, or one subcommand. */
export interface Leaf extends Part {
  readonly definition: AnyDefinition;
}

interface AnyCommand {
  readonly name: string;
  /** Files of its folder that hold only what can be pressed, in the order of their names. */
  readonly components: readonly Part[];
}

/** A command of its own. */
interface SingleCommand extends AnyCommand {
  readonly kind: "single";
  readonly leaf: Leaf;
}

/** A folder of subcommands. */
export interface CommandGroup extends AnyCommand {
  readonly kind: "group";
  readonly definition: CommandGroupDefinition;
  /** Words that several subcommands share, e.g. `account`. */
  readonly words: ReadonlyMap<string, SubcommandGroupDefinition>;
  /** In the order of their file names; those of words come last. */
  readonly leaves: readonly Leaf[];
}

export type Command = SingleCommand | CommandGroup;

/** A leaf's place in its command: `subscribe`, or a word and a name as in `account` and `link`. */
export function placeOf({ path }: Leaf): { readonly word: string | undefined; readonly name: string } {
  const [, ...steps] = path.split("/");
  return { word: steps.length > 1 ? steps[0] : undefined, name: steps.at(-1) ?? path };
}

/** Everything of a command that runs. */
export function leavesOf(command: Command): readonly Leaf[] {
  return command.kind === "single" ? [command.leaf] : command.leaves;
}

/** Everything of a command that can be pressed. */
export function partsOf(command: Command): readonly Part[] {
  return [...leavesOf(command), ...command.components];
}

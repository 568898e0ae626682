// How a command is written. Its registration, help text, option types and routing all follow from the definition; this
// file and the folder beside it say only what may stand in one.
import type { Reply } from "../core/reply.ts";
import type { Answer, Context, MessageReference, Services } from "./define/context.ts";
import type { ComponentsDefinition, Handlers } from "./define/components.ts";
import type { Options, Values } from "./define/options.ts";

/** A bit of Discord's permissions by its documented name, e.g. `ManageGuild`. */
export type Permission = "ManageGuild" | "ManageChannels" | "ManageMessages" | "Administrator";

/** Where a command is offered: in servers, in the bot's own DMs, in other private channels (user install only). */
export type InteractionContext = "guild" | "bot-dm" | "private-channel";

/** Kinds of files that people send, by what Discord takes a file for, or by its name. */
export const FILE_TYPES = ["image", "video"] as const;
export type FileType = (typeof FILE_TYPES)[number];

/**
 * What is done with messages that people send the bot: one that mentions it, or a DM. Each command that takes one of its
 * files answers; where it has no files, the first that understands its words.
 */
export interface MessagesDefinition<N extends keyof Services> {
  /** A message with a file of one of these is answered; others may stand beside it. */
  readonly fileTypes?: readonly FileType[];
  readonly words?: {
    /** What may be written, for greetings, e.g. `York to Leeds`. */
    readonly example: string;
    /** Whether a message's content, mentions included, is surely meant for this command. */
    readonly understands: (content: string, services: Pick<Services, N>) => boolean;
  };
  /**
   * Where; default where its command is offered. In a DM nobody has checked who may: a handler that names a DM beside
   * a command that is none for everyone does so itself.
   */
  readonly contexts?: readonly InteractionContext[];
  /** Answers in reply to the message, where everyone sees it: nothing here can be private. */
  readonly run: (context: Context<N> & { readonly message: MessageReference }) => Reply | Promise<Reply>;
}

/** One command. The file's name is the command's name; that of its folder, where it stands in `command.ts`. */
export interface CommandDefinition<
  N extends keyof Services = never,
  O extends Options<N> = Options<N>,
  B extends object = Handlers,
  S extends object = Handlers,
  M extends object = Handlers,
> extends ComponentsDefinition<N, B, S, M> {
  /** 1 to 100 characters, shown in the picker and by /help. */
  readonly description: string;
  /** Required ones first. */
  readonly options?: O;
  /** Who may use it unless a server decides otherwise. Default everyone. Of no effect in a subcommand. */
  readonly default?: Permission;
  /** Default everywhere, user installs included. Of no effect in a subcommand. */
  readonly contexts?: readonly InteractionContext[];
  /** Only the application's owner and team may use it, in a direct message; /help leaves it out. Not for subcommands. */
  readonly ownerOnly?: true;
  /** A boolean option: where it is true, only the caller sees the answer, and that one is coming. */
  readonly privateBy?: keyof O & string;
  readonly run: (context: Context<N> & { readonly options: Values<O> }) => Answer | Promise<Answer>;
  readonly messageMenu?: {
    /** 1 to 32 characters, any case, e.g. `Restyle picture`. */
    readonly name: string;
    readonly run: (context: Context<N> & { readonly message: MessageReference }) => Answer | Promise<Answer>;
  };
  readonly messages?: MessagesDefinition<N>;
}

/**
 * What stands in `commands/<name>/command.ts` where the folder's other files are subcommands; its folders with a
 * `group.ts` are subcommand groups.
 */
export interface CommandGroupDefinition {
  readonly description: string;
  readonly default?: Permission;
  readonly contexts?: readonly InteractionContext[];
}

/** Checks a definition against its own types and gives it back unchanged. */
export function defineCommand<
  const N extends keyof Services = never,
  const O extends Options<N> = Options<N>,
  B extends object = Handlers,
  S extends object = Handlers,
  M extends object = Handlers,
>(definition: CommandDefinition<N, O, B, S, M>): CommandDefinition<N, O, B, S, M> {
  return definition;
}

/**
 * Checks a file of a command's folder that holds only what can be pressed, e.g. on a message that outlives the answer
 * of any command. Nothing is registered for it; who may use it, its command says.
 */
export function defineComponents<
  const N extends keyof Services = never,
  B extends object = Handlers,
  S extends object = Handlers,
  M extends object = Handlers,
>(definition: ComponentsDefinition<N, B, S, M>): ComponentsDefinition<N, B, S, M> {
  return definition;
}

export function defineCommandGroup(definition: CommandGroupDefinition): CommandGroupDefinition {
  return definition;
}

/** What stands in `commands/<name>/<group>/group.ts`; who may use it, and where, its command says. */
export function defineSubcommandGroup(definition: { readonly description: string }) {
  return definition;
}

// The shape of a command's definition, with its buttons, menus and forms. Its registration, help text, option types and
// routing are derived from it. The folder beside this file contains the types of its options and of what its handlers get.
import type { Reply } from "../core/reply.ts";
import type { Answer, Context, MessageReference, Services, Caller, Media } from "./define/context.ts";
import type { Options, Values } from "./define/options.ts";
import type { ArgsCodec } from "../core/component-id.ts";

/** `update` edits the component's message. `public` and `private` send a new one, and say who sees “thinking…” first. */
export type AnswerMode = "update" | "public" | "private";

/** Chooses the mode by who presses, e.g. so that nobody changes an answer that another person asked for. */
export type ChooseAnswerMode<A> = (press: { readonly args: A; readonly caller: Caller }) => AnswerMode;

/** A private answer never replaces a message that others see. */
export interface ButtonDefinition<N extends keyof Services, A> {
  /** The arguments in its custom id. If they cannot be read, the person is told that the message is out of date. */
  readonly args?: ArgsCodec<A>;
  /** Default `update`. */
  readonly answers?: AnswerMode | ChooseAnswerMode<A>;
  /** Everyone who sees the message may use it, whatever permission its command needs. */
  readonly anyone?: true;
  readonly run: (
    context: Context<N> & { readonly args: A; readonly message: MessageReference },
  ) => Answer | Promise<Answer>;
}

/** Defines a button whose handler gets the arguments as its second parameter. */
export function defineButton<N extends keyof Services, A>(
  codec: ArgsCodec<A>,
  run: (context: Context<N> & { readonly message: MessageReference }, args: A) => Answer | Promise<Answer>,
): ButtonDefinition<N, A> {
  return { args: codec, run: ({ args, ...context }) => run(context, args) };
}

export interface SelectDefinition<N extends keyof Services, A> extends Omit<ButtonDefinition<N, A>, "run"> {
  readonly run: (
    context: Context<N> & {
      readonly args: A;
      readonly message: MessageReference;
      readonly chosen: readonly string[];
    },
  ) => Answer | Promise<Answer>;
}

/** A submitted form. `fields` contains what was typed or chosen, by field name; `files` contains uploads. */
export interface ModalDefinition<N extends keyof Services, A> {
  readonly args?: ArgsCodec<A>;
  /**
   * Default: the file's `defer`, which always applies if no message opened the form. `update` edits the message that
   * opened it.
   */
  readonly answers?: AnswerMode | ChooseAnswerMode<A>;
  readonly run: (
    context: Context<N> & {
      readonly args: A;
      /** The message that the form was opened from; `undefined` if a command opened it. */
      readonly message?: MessageReference | undefined;
      /** The version that a {@link ConflictError} told the person about, if they submit the form again anyway. */
      readonly seenVersion?: string | undefined;
      readonly fields: Readonly<Record<string, readonly string[]>>;
      readonly files: Readonly<Record<string, readonly Media[]>>;
    },
  ) => Reply | Promise<Reply>;
}

/** Arguments of handlers by action, if their types are not known. */
type Handlers = Readonly<Record<string, unknown>>;

/** Components and forms: all of a file without a command, or those beside a file's command. */
export interface ComponentsDefinition<
  N extends keyof Services = never,
  B extends object = Handlers,
  S extends object = Handlers,
  M extends object = Handlers,
> {
  /** The services that the handlers use. If one of them is not configured, the whole file is left out. */
  readonly needs?: readonly N[];
  /** Who sees “thinking…” before a slow answer that is a new message: everyone or the caller. Default `public`. */
  readonly defer?: "public" | "private";
  readonly buttons?: { readonly [K in keyof B]: ButtonDefinition<N, B[K]> };
  readonly selects?: { readonly [K in keyof S]: SelectDefinition<N, S[K]> };
  readonly modals?: { readonly [K in keyof M]: ModalDefinition<N, M[K]> };
}

/** A Discord permission by its documented name, e.g. `ManageGuild`. */
export type Permission = "ManageGuild" | "ManageChannels" | "ManageMessages" | "Administrator";

/** Where a command is offered: in servers, in the bot's own DMs, in other private channels (user install only). */
export type InteractionContext = "guild" | "bot-dm" | "private-channel";

/** Kinds of files that people send, according to Discord's content type or the file's name. */
export const FILE_TYPES = ["image", "video"] as const;
export type FileType = (typeof FILE_TYPES)[number];

/**
 * How a command answers messages to the bot: those that mention it, and DMs. Every command that accepts one of
 * the message's files answers. If there are no files, the first command that understands the words answers.
 */
export interface MessagesDefinition<N extends keyof Services> {
  /** Answers messages with a file of one of these types; there may be other files too. */
  readonly fileTypes?: readonly FileType[];
  readonly words?: {
    /** An example of the words for the bot's greetings, e.g. `York to Leeds`. */
    readonly example: string;
    /** Whether a message's content, mentions included, is clearly meant for this command. */
    readonly understands: (content: string, services: Pick<Services, N>) => boolean;
  };
  /**
   * Where messages are answered. Default: where the command is offered. Nothing checks permissions in DMs: if
   * the command needs one and this names DMs, the handler must check it.
   */
  readonly contexts?: readonly InteractionContext[];
  /** Returns the reply to the message. Everyone there sees it; it cannot be private. */
  readonly run: (context: Context<N> & { readonly message: MessageReference }) => Reply | Promise<Reply>;
}

/** `commands/<name>/command.ts`: the folder's other files are subcommands, its folders with a `group.ts` are groups. */
export interface CommandGroupDefinition {
  /** 1 to 100 characters. Discord's command picker and /help show it. */
  readonly description: string;
  /** The permission needed to use it, unless a server decides otherwise. Default: none. Ignored in a subcommand. */
  readonly default?: Permission;
  /** Where the command is offered. Default: everywhere, user installs included. Ignored in a subcommand. */
  readonly contexts?: readonly InteractionContext[];
}

/** One command. Its name is that of its file, or that of the folder if the file is `command.ts`. */
export interface CommandDefinition<
  N extends keyof Services = never,
  O extends Options<N> = Options<N>,
  B extends object = Handlers,
  S extends object = Handlers,
  M extends object = Handlers,
>
  extends CommandGroupDefinition, ComponentsDefinition<N, B, S, M> {
  /** Required options come first. */
  readonly options?: O;
  /** Only the application's owner and team may use it, and only in a DM; /help leaves it out. Not for subcommands. */
  readonly ownerOnly?: true;
  /** Whether only the caller sees “thinking…” and the answer, given these options (default: as `defer` says). */
  readonly isPrivate?: (typed: { readonly [K in keyof O]?: unknown }) => boolean;
  readonly run: (context: Context<N> & { readonly options: Values<O> }) => Answer | Promise<Answer>;
  readonly messageMenu?: {
    /** 1 to 32 characters, any case, e.g. `Restyle picture`. */
    readonly name: string;
    /** Who sees “thinking…” (default: the command's `defer`). */
    readonly defer?: "private";
    readonly run: (context: Context<N> & { readonly message: MessageReference }) => Answer | Promise<Answer>;
  };
  readonly messages?: MessagesDefinition<N>;
}

/** Checks the types of a definition and returns it unchanged. */
export function defineCommand<
  const N extends keyof Services = never,
  const O extends Options<N> = Options<N>,
  B extends object = Handlers,
  S extends object = Handlers,
  M extends object = Handlers,
>(definition: CommandDefinition<N, O, B, S, M>): CommandDefinition<N, O, B, S, M> {
  return definition;
}

/** For a file of only components and forms: nothing is registered for it, and its command decides who may use it. */
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

/** The content of `commands/<name>/<group>/group.ts`. Its command decides who may use it, and where. */
export function defineSubcommandGroup(definition: { readonly description: string }) {
  return definition;
}

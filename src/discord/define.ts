// How a command is written. Its registration, help text, option types and routing all follow from the
// definition; this file says only what may stand in one.
import type { z } from "zod";
import type { ComponentTarget } from "../core/component-id.ts";
import type { Modal, Removal, Reply } from "../core/reply.ts";
import type { Services } from "../services/services.ts";

/** A bit of Discord's permissions by its documented name, e.g. `ManageGuild`. */
export type Permission = "ManageGuild" | "ManageChannels" | "ManageMessages" | "Administrator";

/** Where a command is offered: in servers, in the bot's own DMs, in other private channels (user install only). */
export type Place = "guild" | "bot-dm" | "private-channel";

interface OptionBase {
  /** 1 to 100 characters. */
  readonly description: string;
  readonly required?: boolean;
}

/** What autocomplete is asked: the text so far and the other options as typed so far, unvalidated. */
export interface Completing<N extends keyof Services> {
  readonly text: string;
  readonly typed: Readonly<Record<string, string>>;
  readonly where: Where;
  readonly services: Pick<Services, N>;
}

export interface Suggestion {
  readonly name: string;
  readonly value: string;
}

export interface StringOption<N extends keyof Services = never> extends OptionBase {
  readonly type: "string";
  readonly choices?: readonly Suggestion[];
  /** At most 25 are sent. The text stays free: `run` validates it again. */
  readonly autocomplete?: (asked: Completing<N>) => readonly Suggestion[] | Promise<readonly Suggestion[]>;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export interface NumberOption extends OptionBase {
  readonly type: "integer" | "number";
  readonly min?: number;
  readonly max?: number;
}

export interface BooleanOption extends OptionBase {
  readonly type: "boolean";
}

export interface AttachmentOption extends OptionBase {
  readonly type: "attachment";
  /** Discord checks the name only, in the client: `image`, `video`, `audio` or an extension with its dot. */
  readonly fileTypes?: readonly string[];
}

export interface ChannelOption extends OptionBase {
  readonly type: "channel";
  /** Default every kind. The client offers no others. */
  readonly channelTypes?: readonly ChannelType[];
}

export interface RoleOption extends OptionBase {
  readonly type: "role";
}

/** `thread`: of any kind, private ones and those of announcement channels too. */
export type ChannelType = "text" | "announcement" | "thread";

export type Option<N extends keyof Services = never> =
  | StringOption<N>
  | NumberOption
  | BooleanOption
  | AttachmentOption
  | ChannelOption
  | RoleOption;

export type Options<N extends keyof Services = never> = Readonly<Record<string, Option<N>>>;

/** A file that a message shows. The link is signed and dies: take the bytes at once. */
export interface Media {
  readonly name: string;
  readonly url: string;
  /** 0 where Discord does not say. */
  readonly sizeBytes: number;
  /** Guessed by Discord from the name. */
  readonly contentType: string | undefined;
  readonly spoiler: boolean;
  /** What it shows, in the words of whoever sent it. */
  readonly description: string | undefined;
}

/** A file that a member attached. */
export interface Attachment extends Media {
  readonly id: string;
}

export interface ChannelReference {
  readonly id: string;
  readonly name: string | undefined;
}

export interface RoleReference {
  readonly id: string;
  readonly name: string;
}

type ValueOf<O> = O extends {
  readonly type: "string";
  readonly choices: readonly { readonly value: infer V }[];
}
  ? V
  : O extends { readonly type: "string" }
    ? string
    : O extends { readonly type: "integer" | "number" }
      ? number
      : O extends { readonly type: "boolean" }
        ? boolean
        : O extends { readonly type: "attachment" }
          ? Attachment
          : O extends { readonly type: "role" }
            ? RoleReference
            : ChannelReference;

/** What `run` receives for a set of options: required drops `undefined`, choices become a union. */
export type Values<O> = {
  readonly [K in keyof O]: O[K] extends { readonly required: true }
    ? ValueOf<O[K]>
    : ValueOf<O[K]> | undefined;
};

/** The person who asked. */
export interface Caller {
  readonly id: string;
  readonly name: string;
  /** Ids of their roles in the server where they asked; none in DMs. */
  readonly roles: readonly string[];
  /** Discord's language of their client, e.g. `en-GB`. */
  readonly locale: string;
}

/** Where they asked. */
export interface Where {
  /** `undefined` in DMs. */
  readonly guildId: string | undefined;
  readonly channelId: string | undefined;
}

/** How far long work is: words, or bytes done of all. */
export type ProgressState =
  | string
  | { readonly doneBytes: number; readonly totalBytes: number }
  /** With a button that stops it. */
  | { readonly text: string; readonly cancel: ComponentTarget };

/** Tells how far long work is. Shown at most every 2 s, under what a component's message shows already. */
export type Progress = (state: ProgressState) => void;

/** What every handler is given. */
export interface Context<N extends keyof Services> {
  readonly services: Pick<Services, N>;
  readonly caller: Caller;
  readonly where: Where;
  /** How large a file may be that is sent there. */
  readonly fileLimitBytes: number;
  readonly progress: Progress;
}

/** What a handler answers with. A modal must come within 1.5 s and before any `progress`. */
export type Answer = Reply | Modal | Removal;

/** A message a menu or a component stands on, as far as handlers need it. */
export interface MessageReference {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly content: string;
  readonly attachments: readonly Attachment[];
  /** All that it shows: attachments, pictures of embeds and of components, what it forwards. None stands there twice. */
  readonly media: readonly Media[];
}

/**
 * A button. Its answer replaces the message it stands on, or is sent anew where `answers` says so. A private answer
 * never replaces what others see.
 */
export interface ButtonDefinition<N extends keyof Services, A> {
  /** Reads the args of the custom id; a press whose args do not fit is answered as out of date. */
  readonly args: z.ZodType<A>;
  readonly answers?: AnswerPlace | ChoosePlace<A>;
  /** Open to everyone who sees the message, whatever its command asks for. */
  readonly anyone?: true;
  readonly run: (
    context: Context<N> & { readonly args: A; readonly message: MessageReference },
  ) => Answer | Promise<Answer>;
}

/**
 * `update` (default) edits the message the component stands on; `reply` sends another; `private` sends another to the
 * person alone, also beside a message that only they see.
 */
export type AnswerPlace = "update" | "reply" | "private";

/** Chooses the place by who presses, e.g. so that nobody changes what another person asked for. */
export type ChoosePlace<A> = (press: { readonly args: A; readonly caller: Caller }) => AnswerPlace;

/** A menu: as a button, with the chosen values. */
export interface SelectDefinition<N extends keyof Services, A> {
  readonly args: z.ZodType<A>;
  readonly answers?: AnswerPlace | ChoosePlace<A>;
  /** Open to everyone who sees the message, whatever its command asks for. */
  readonly anyone?: true;
  readonly run: (
    context: Context<N> & {
      readonly args: A;
      readonly message: MessageReference;
      readonly chosen: readonly string[];
    },
  ) => Answer | Promise<Answer>;
}

/** A submitted form. `fields` holds what was typed or chosen by field name; uploads stand in `files`. */
export interface ModalDefinition<N extends keyof Services, A> {
  readonly args: z.ZodType<A>;
  /** Default `reply`; `update` edits the message that the form was opened from, where there is one. */
  readonly answers?: AnswerPlace | ChoosePlace<A>;
  readonly run: (
    context: Context<N> & {
      readonly args: A;
      /** The message that the form was opened from; `undefined` for one that a command opened. */
      readonly message?: MessageReference | undefined;
      readonly fields: Readonly<Record<string, readonly string[]>>;
      readonly files: Readonly<Record<string, readonly Attachment[]>>;
    },
  ) => Reply | Promise<Reply>;
}

/** An entry in the menu of a message. */
export interface MessageMenuDefinition<N extends keyof Services> {
  /** 1 to 32 characters, any case, e.g. `Restyle picture`. */
  readonly name: string;
  readonly run: (context: Context<N> & { readonly message: MessageReference }) => Answer | Promise<Answer>;
}

/** Kinds of files that people send, by what Discord takes a file for, or by its name. */
export type FileType = "image" | "video";

/**
 * What is done with files that people send the bot: in a message that mentions it, or in a DM. Of several commands
 * that take a file there, the first by name answers.
 */
export interface MessagesDefinition<N extends keyof Services> {
  /** A message with a file of one of these is answered; others may stand beside it. */
  readonly fileTypes: readonly FileType[];
  /**
   * Where; default where its command is offered. In a DM nobody has checked who may: a handler that names a DM beside
   * a command that is none for everyone does so itself.
   */
  readonly places?: readonly Place[];
  /** Answers in reply to the message, where everyone sees it: nothing here can be private. */
  readonly run: (context: Context<N> & { readonly message: MessageReference }) => Reply | Promise<Reply>;
}

/** One command. The file's name is the command's name. */
export interface CommandDefinition<
  N extends keyof Services = never,
  O extends Options<N> = Options<N>,
  B extends object = object,
  S extends object = object,
  M extends object = object,
> {
  /** 1 to 100 characters, shown in the picker and by /help. */
  readonly description: string;
  /** The services it uses. A command whose needs are not configured is not registered. */
  readonly needs?: readonly N[];
  /** Required ones first. */
  readonly options?: O;
  /** Who may use it unless a server decides otherwise. Default everyone. Read from `command.ts` in a folder. */
  readonly default?: Permission;
  /** Default everywhere, user installs included. Read from `command.ts` in a folder. */
  readonly places?: readonly Place[];
  /** How a slow answer is announced: to all or to the caller. Default `public`. */
  readonly defer?: "public" | "private";
  /** A boolean option: where it is true, only the caller sees the answer, and that one is coming. */
  readonly privateBy?: keyof O & string;
  readonly run: (context: Context<N> & { readonly options: Values<O> }) => Answer | Promise<Answer>;
  readonly messageMenu?: MessageMenuDefinition<N>;
  readonly messages?: MessagesDefinition<N>;
  readonly buttons?: { readonly [K in keyof B]: ButtonDefinition<N, B[K]> };
  readonly selects?: { readonly [K in keyof S]: SelectDefinition<N, S[K]> };
  readonly modals?: { readonly [K in keyof M]: ModalDefinition<N, M[K]> };
}

/**
 * What stands in `commands/<name>/command.ts`: the folder's other files are its subcommands, and its folders with a
 * `group.ts` hold more of them, under a word of their own.
 */
export interface CommandGroupDefinition {
  readonly description: string;
  readonly default?: Permission;
  readonly places?: readonly Place[];
}

/** What stands in `commands/<name>/<word>/group.ts`; who may, and where, is its command's affair. */
export interface SubcommandGroupDefinition {
  readonly description: string;
}

/** Checks a definition against its own types and gives it back unchanged. */
export function defineCommand<
  const N extends keyof Services = never,
  const O extends Options<N> = Options<N>,
  B extends object = object,
  S extends object = object,
  M extends object = object,
>(definition: CommandDefinition<N, O, B, S, M>): CommandDefinition<N, O, B, S, M> {
  return definition;
}

/** Checks the description of a command that has subcommands. */
export function defineCommandGroup(definition: CommandGroupDefinition): CommandGroupDefinition {
  return definition;
}

/** Checks the description of a word that several subcommands share. */
export function defineSubcommandGroup(definition: SubcommandGroupDefinition): SubcommandGroupDefinition {
  return definition;
}

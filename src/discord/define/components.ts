// Buttons, menus and modals: what a person can press on a message after a command has answered.
import type { ArgsCodec } from "../../core/component-args.ts";
import type { Reply } from "../../core/reply.ts";
import type { Answer, Attachment, Caller, Context, MessageReference, Services } from "./context.ts";

/**
 * `update` (default) edits the message the component stands on; `reply` sends another; `private` sends another to the
 * person alone, also beside a message that only they see.
 */
export type AnswerMode = "update" | "reply" | "private";

/** Chooses the place by who presses, e.g. so that nobody changes what another person asked for. */
export type ChooseAnswerMode<A> = (press: { readonly args: A; readonly caller: Caller }) => AnswerMode;

/**
 * A button. Its answer replaces the message it is on, or is a new message if `answers` says so. A private answer
 * never replaces what others see.
 */
export interface ButtonDefinition<N extends keyof Services, A> {
  /** What its custom id carries. A press whose args cannot be read is answered as out of date. */
  readonly args?: ArgsCodec<A>;
  readonly answers?: AnswerMode | ChooseAnswerMode<A>;
  /** Open to everyone who sees the message, whatever its command asks for. */
  readonly anyone?: true;
  readonly run: (
    context: Context<N> & { readonly args: A; readonly message: MessageReference },
  ) => Answer | Promise<Answer>;
}

/** A button with args, from a function that takes them apart from the rest. */
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

/** A submitted form. `fields` holds what was typed or chosen by field name; uploads stand in `files`. */
export interface ModalDefinition<N extends keyof Services, A> {
  readonly args?: ArgsCodec<A>;
  /** Default `reply`; `update` edits the message that the form was opened from, where there is one. */
  readonly answers?: AnswerMode | ChooseAnswerMode<A>;
  readonly run: (
    context: Context<N> & {
      readonly args: A;
      /** The message that the form was opened from; `undefined` for one that a command opened. */
      readonly message?: MessageReference | undefined;
      /** The mark of an {@link ConflictError} that the person was told of, if they send it all the same. */
      readonly seenVersion?: string | undefined;
      readonly fields: Readonly<Record<string, readonly string[]>>;
      readonly files: Readonly<Record<string, readonly Attachment[]>>;
    },
  ) => Reply | Promise<Reply>;
}

/** The arguments of handlers by action, where they are not known. */
export type Handlers = Readonly<Record<string, unknown>>;

/** What can be pressed: all of a file that holds no command, or beside the command that a file holds. */
export interface ComponentsDefinition<
  N extends keyof Services = never,
  B extends object = Handlers,
  S extends object = Handlers,
  M extends object = Handlers,
> {
  /** The services it uses. What needs one that is not configured is left out. */
  readonly needs?: readonly N[];
  /** How a slow answer that is a new message is announced: to all or to the caller. Default `public`. */
  readonly defer?: "public" | "private";
  readonly buttons?: { readonly [K in keyof B]: ButtonDefinition<N, B[K]> };
  readonly selects?: { readonly [K in keyof S]: SelectDefinition<N, S[K]> };
  readonly modals?: { readonly [K in keyof M]: ModalDefinition<N, M[K]> };
}

import type { ArgsCodec } from "../../core/component-args.ts";
import type { Reply } from "../../core/reply.ts";
import type { Answer, Attachment, Caller, Context, MessageReference, Services } from "./context.ts";

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
      readonly files: Readonly<Record<string, readonly Attachment[]>>;
    },
  ) => Reply | Promise<Reply>;
}

/** Arguments of handlers by action, if their types are not known. */
export type Handlers = Readonly<Record<string, unknown>>;

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

// The types of what a member can do and see. actors/member.ts implements them.
import type { Channel, Choice, Component, OpenModal } from "../entities.ts";

/** A file as a member has it before sending. */
export interface ActorFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The value of a command's option. Its type follows from the command's registration. */
export type OptionInput = string | number | boolean | ActorFile | Channel;

export type OptionInputs = Readonly<Record<string, OptionInput>>;

interface SeenAttachment {
  readonly id: string;
  readonly filename: string;
  /** Signed; expires on the sandbox's clock. */
  readonly url: string;
  /** Bytes. */
  readonly size: number;
  readonly description: string | undefined;
  readonly contentType: string | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly spoiler: boolean;
}

/** A message as one member sees it. */
export interface SeenMessage {
  readonly id: string;
  readonly channelId: string;
  readonly author: { readonly id: string; readonly name: string; readonly bot: boolean };
  readonly content: string;
  readonly flags: number;
  /** As the bot sent them, with every `id` assigned. */
  readonly components: readonly Component[];
  readonly attachments: readonly SeenAttachment[];
  readonly ephemeral: boolean;
  /** The bot is "thinking…". */
  readonly loading: boolean;
  readonly createdAtMs: number;
  readonly editedAtMs: number | undefined;
  readonly repliesTo: string | undefined;
  /** The command or press that it answers, e.g. `Ada used /departures`. */
  readonly because: string | undefined;
  /** Content and all text displays, joined by newlines. */
  readonly text: string;
  /** Ids of the users and roles it would ping, and `everyone`. */
  readonly pings: readonly string[];
}

/** The first answer to an action, "thinking…" excluded. */
export interface Answer {
  readonly interactionId: string;
  readonly kind: "message" | "modal" | "none";
  /** As the member saw it then; `look` gives its current state. Throws if the answer is not a message. */
  readonly message: SeenMessage;
  /** Throws if the answer is a message. */
  readonly modal: OpenModal;
  /** `message.text`, or the modal's title. */
  readonly text: string;
  /** The button with this label. Throws with the existing labels if there is none. */
  button(label: string): Component;
}

export interface WaitOptions {
  /** How long to wait, in real milliseconds. Default 30,000. */
  readonly deadlineMs?: number;
}

/** One person at their client. An action that the client would not offer rejects with the reason. */
export interface Member {
  readonly id: string;
  readonly name: string;
  /** Runs a slash command; `board subscribe` names a subcommand. */
  slash(channel: Channel, command: string, options?: OptionInputs, wait?: WaitOptions): Promise<Answer>;
  /** Presses a button, found by label, custom id or emoji. */
  click(message: SeenMessage, button: string, wait?: WaitOptions): Promise<Answer>;
  /** Chooses in a menu, found by placeholder or custom id. `values` may be values or labels. */
  select(message: SeenMessage, menu: string, values: readonly string[], wait?: WaitOptions): Promise<Answer>;
  /** Submits a form. Keys are labels or custom ids of its fields. */
  submit(
    answer: Answer,
    fields: Readonly<Record<string, string | readonly string[] | readonly ActorFile[]>>,
    wait?: WaitOptions,
  ): Promise<Answer>;
  /** Uses an entry of a message's menu. */
  menu(message: SeenMessage, entry: string, wait?: WaitOptions): Promise<Answer>;
  /** Requests autocomplete for the option `focused`; `typed` has the other options so far. */
  complete(
    channel: Channel,
    command: string,
    typed: OptionInputs,
    focused: string,
    wait?: WaitOptions,
  ): Promise<readonly Choice[]>;
  /** Writes a message. */
  say(channel: Channel, text: string): Promise<SeenMessage>;
  /** Writes a message with files. */
  attach(channel: Channel, text: string, files: readonly ActorFile[]): Promise<SeenMessage>;
  /** Writes a message that mentions the bot. */
  mention(channel: Channel, text: string, files?: readonly ActorFile[]): Promise<SeenMessage>;
  /** Replies to a message and pings its author. */
  reply(message: SeenMessage, text: string, files?: readonly ActorFile[]): Promise<SeenMessage>;
  /** Deletes a message: one's own or, with the permission to manage messages, anyone's. */
  delete(message: SeenMessage): Promise<void>;
  /** The direct channel with the bot, created at first use. */
  dm(): Channel;
  /** The messages that this member sees, oldest first. */
  messages(channel: Channel): readonly SeenMessage[];
  /** The message's current state; `undefined` if it was deleted. */
  look(message: SeenMessage): SeenMessage | undefined;
  /** The first message that passes the test, whether it exists already or is still to come. */
  waitForMessage(
    channel: Channel,
    test: (message: SeenMessage) => boolean,
    wait?: WaitOptions,
  ): Promise<SeenMessage>;
  /** Downloads an attachment as the client does. */
  download(attachment: SeenAttachment): Promise<Uint8Array>;
  /** Dismisses an ephemeral message. */
  dismiss(message: SeenMessage): void;
  /** The commands offered to this member here. */
  commands(
    channel: Channel,
  ): readonly { readonly name: string; readonly description: string; readonly kind: number }[];
}

// What a member can do and what they see, as types. actors/member.ts makes one.
import type { Channel, Choice, Component, OpenModal } from "../entities.ts";

/** A file as a member holds it before sending. */
export interface ActorFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A value for a command's option. Which type is meant follows from the command's registration. */
export type OptionInput = string | number | boolean | ActorFile | Channel;

export type OptionInputs = Readonly<Record<string, OptionInput>>;

interface SeenAttachment {
  readonly id: string;
  readonly filename: string;
  /** Signed; dies on the sandbox's clock. */
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
  /** Raw, as the bot sent them, with every `id` numbered. */
  readonly components: readonly Component[];
  readonly embeds: readonly unknown[];
  readonly attachments: readonly SeenAttachment[];
  readonly ephemeral: boolean;
  /** The bot is "thinking…". */
  readonly loading: boolean;
  readonly createdAtMs: number;
  readonly editedAtMs: number | undefined;
  readonly repliesTo: string | undefined;
  /** The command or press it answers, e.g. `Ada used /departures`. */
  readonly because: string | undefined;
  /** Content and all text displays, joined by newlines. */
  readonly text: string;
  /** Ids of users and roles it would ping, and `everyone`. */
  readonly pings: readonly string[];
}

/** The first answer to an act that is more than "thinking…". */
export interface Answer {
  readonly interactionId: string;
  readonly kind: "message" | "modal" | "none";
  /** As the member who acted saw it then; `look` tells how it stands now. Throws where the answer is none. */
  readonly message: SeenMessage;
  /** Throws where the answer is a message. */
  readonly modal: OpenModal;
  /** `message.text`, or the modal's title. */
  readonly text: string;
  /** The button with this label. Throws with the labels that are there. */
  button(label: string): Component;
}

export interface WaitOptions {
  /** Real milliseconds until giving up. Default 30,000. */
  readonly deadlineMs?: number;
}

/** One person at their client. Acts that the client would not offer reject with what is missing. */
export interface Member {
  readonly id: string;
  readonly name: string;
  /** Runs a slash command; `board subscribe` names a subcommand. */
  slash(channel: Channel, command: string, options?: OptionInputs, wait?: WaitOptions): Promise<Answer>;
  /** Presses a button by label, custom id or emoji. */
  click(message: SeenMessage, button: string, wait?: WaitOptions): Promise<Answer>;
  /** Chooses in a menu, found by placeholder or custom id; values or labels. */
  select(message: SeenMessage, menu: string, values: readonly string[], wait?: WaitOptions): Promise<Answer>;
  /** Sends a form. Keys are labels or custom ids of its fields. */
  submit(
    answer: Answer,
    fields: Readonly<Record<string, string | readonly string[] | readonly ActorFile[]>>,
    wait?: WaitOptions,
  ): Promise<Answer>;
  /** Uses an entry of a message's menu. */
  menu(message: SeenMessage, entry: string, wait?: WaitOptions): Promise<Answer>;
  /** Asks for completions of the option `focused`, others as typed so far. */
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
  /** Replies to a message, whose author is pinged. */
  reply(message: SeenMessage, text: string, files?: readonly ActorFile[]): Promise<SeenMessage>;
  /** Writes other words in one's own message. */
  edit(message: SeenMessage, text: string): Promise<SeenMessage>;
  /** Takes a message away: one's own or, for whoever manages messages, anybody's. */
  delete(message: SeenMessage): Promise<void>;
  /** The direct channel with the bot, opened at first use. */
  dm(): Channel;
  /** The messages this member sees, oldest first. */
  messages(channel: Channel): readonly SeenMessage[];
  /** The message as it stands now; `undefined` once deleted. */
  look(message: SeenMessage): SeenMessage | undefined;
  /** The first message, there already or still to come, that passes the test. */
  waitForMessage(
    channel: Channel,
    test: (message: SeenMessage) => boolean,
    wait?: WaitOptions,
  ): Promise<SeenMessage>;
  /** Fetches an attachment as the client does. */
  download(attachment: SeenAttachment): Promise<Uint8Array>;
  /** Sends away an ephemeral message. */
  dismiss(message: SeenMessage): void;
  /** The commands this member is offered here. */
  commands(
    channel: Channel,
  ): readonly { readonly name: string; readonly description: string; readonly kind: number }[];
}

// The types of what a member enters and sees. A member's actions are in actors/member.ts.
import type { Channel, Component, OpenModal } from "../entities.ts";

export interface ActorFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The value of a command's option. Its type follows from the command's registration. */
export type OptionInput = string | number | boolean | ActorFile | Channel;

export type OptionInputs = Readonly<Record<string, OptionInput>>;

export interface SeenAttachment {
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
  /** Whether the bot is "thinking…". */
  readonly loading: boolean;
  readonly createdAtMs: number;
  readonly editedAtMs: number | undefined;
  readonly repliesTo: string | undefined;
  /** The command that it answers, e.g. `Ada used /departures`; `undefined` if it answers none. */
  readonly because: string | undefined;
  /** Content and all text displays, joined by newlines. */
  readonly text: string;
  /** Ids of the users and roles that it pings, and `everyone`. */
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

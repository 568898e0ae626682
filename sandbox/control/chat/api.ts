// What the page's chat asks for and gets, as types alone: the page is compiled without Node's.
import type { SeenMessage } from "../../discord/actors/acts.ts";
import type {
  ChannelKind,
  CommandKind,
  CommandOption,
  Component,
  OpenModal,
} from "../../discord/entities.ts";

/** Somebody whose name may stand in a message, the bot among them. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly bot: boolean;
}

/** A role without its permissions; `@everyone` is not told of. */
export interface SceneRole {
  readonly id: string;
  readonly name: string;
  /** The higher stands above. */
  readonly position: number;
}

/** A place to write in that the member sees. */
export interface SceneChannel {
  readonly id: string;
  readonly kind: ChannelKind;
  readonly name: string;
  /** `undefined` in direct messages. */
  readonly guildId: string | undefined;
  /** Threads: the channel that they belong to. */
  readonly parentId: string | undefined;
  readonly canWrite: boolean;
  /** Direct messages: who else is in it. */
  readonly recipientIds: readonly string[];
}

export interface SceneGuild {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  /** Highest first. */
  readonly roles: readonly SceneRole[];
  readonly members: readonly { readonly userId: string; readonly roleIds: readonly string[] }[];
  /** In the order of the guild; threads among them. */
  readonly channels: readonly SceneChannel[];
}

/** Everything around the messages, as one member sees it. */
export interface Scene {
  readonly me: Person;
  readonly botId: string;
  readonly guilds: readonly SceneGuild[];
  /** Conversations outside of guilds; the one with the bot comes first. */
  readonly directs: readonly SceneChannel[];
  readonly people: readonly Person[];
  /** Bytes that one file may have. */
  readonly uploadLimitBytes: number;
}

/** A command that the member is offered in a channel. */
export interface OfferedCommand {
  readonly id: string;
  readonly kind: CommandKind;
  readonly name: string;
  readonly description: string;
  readonly options: readonly CommandOption[];
}

/** A message as a member sees it, with what the client draws around it. */
export interface ChatMessage extends SeenMessage {
  /** The command that it answers. */
  readonly used: { readonly userId: string; readonly command: string } | undefined;
  /** The interaction that it answers. */
  readonly interactionId: string | undefined;
  readonly mayDelete: boolean;
}

/** How an act was taken: as soon as the bot acknowledged it in any way, "thinking…" included. */
export interface ActAnswer {
  readonly interactionId?: string;
  readonly modal?: OpenModal;
  /** The bot's offers for what is being typed. */
  readonly choices?: readonly { readonly name: string; readonly value: string | number }[];
}

/** Why an act was not taken. `refused`: the client would not let it pass. `no-response`: the bot did not answer. */
export type RefusalKind = "refused" | "no-response";

export interface Refusal {
  readonly error: string;
  readonly kind: RefusalKind;
}

/** A file on its way to the sandbox, within JSON. */
export interface SentFile {
  readonly name: string;
  readonly base64: string;
}

type Plain = string | number | boolean;

/** What a member does; where and who is added when it is sent. */
export type Act<F = SentFile> =
  | {
      readonly do: "slash";
      readonly command: string;
      readonly options: Readonly<Record<string, Plain | F>>;
    }
  | {
      readonly do: "complete";
      readonly command: string;
      readonly options: Readonly<Record<string, Plain>>;
      readonly focused: string;
    }
  | { readonly do: "say"; readonly text: string; readonly files: readonly F[]; readonly repliesTo?: string }
  | { readonly do: "click"; readonly messageId: string; readonly button: string }
  | {
      readonly do: "select";
      readonly messageId: string;
      readonly menu: string;
      readonly values: readonly string[];
    }
  | { readonly do: "menu"; readonly messageId: string; readonly entry: string }
  | { readonly do: "submit"; readonly interactionId: string; readonly fields: FieldValues<F> }
  | { readonly do: "dismiss" | "delete"; readonly messageId: string };

/** What stands in a form, by custom id. */
export type FieldValues<F = SentFile> = Readonly<Record<string, string | readonly string[] | readonly F[]>>;

export type { Component, CommandOption, OpenModal, SeenMessage };

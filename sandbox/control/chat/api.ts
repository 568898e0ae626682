// What the page's chat asks for and gets. The page imports only its types, and is compiled without Node's.
import { z } from "zod";
import type { SeenMessage } from "../../discord/actors/member-types.ts";
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

const file = z
  .object({ name: z.string(), base64: z.base64() })
  .transform(({ name, base64 }) => ({ name, bytes: Uint8Array.fromBase64(base64) }));

/** A file on its way to the sandbox, within JSON. */
export type SentFile = z.input<typeof file>;

const plain = z.union([z.string(), z.number(), z.boolean()]);

/** What a member does; where and who is added when it is sent. */
export const acts = z.discriminatedUnion("do", [
  z.object({
    do: z.literal("slash"),
    command: z.string(),
    options: z.record(z.string(), z.union([plain, file])).default({}),
  }),
  z.object({
    do: z.literal("complete"),
    command: z.string(),
    options: z.record(z.string(), plain).default({}),
    focused: z.string(),
  }),
  z.object({
    do: z.literal("say"),
    text: z.string(),
    files: z.array(file).default([]),
    repliesTo: z.string().optional(),
  }),
  z.object({ do: z.literal("click"), messageId: z.string(), button: z.string() }),
  z.object({
    do: z.literal("select"),
    messageId: z.string(),
    menu: z.string(),
    values: z.array(z.string()),
  }),
  z.object({ do: z.literal("menu"), messageId: z.string(), entry: z.string() }),
  z.object({
    do: z.literal("submit"),
    interactionId: z.string(),
    fields: z.record(z.string(), z.union([z.string(), z.array(z.string()), z.array(file)])),
  }),
  z.object({ do: z.literal("dismiss"), messageId: z.string() }),
  z.object({ do: z.literal("delete"), messageId: z.string() }),
]);

/** With files that are still to be encoded. */
export type WithFiles<T> = T extends SentFile
  ? File
  : T extends readonly (infer Item)[]
    ? readonly WithFiles<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: WithFiles<T[Key]> }
      : T;

/** An act as the page has it. */
export type Act = WithFiles<z.input<typeof acts>>;

/** What stands in a form, by custom id. */
export type FieldValues = Extract<Act, { readonly do: "submit" }>["fields"];

export type { Component, CommandOption, OpenModal, SeenMessage };

// The JSON between the page's chat and the sandbox. The page imports only types, because it is compiled without Node's.
import { z } from "zod";
import type { SeenMessage } from "../../discord/actors/member-types.ts";
import type { CommandOption, Component, OpenModal } from "../../discord/entities.ts";

/** Somebody whose name may appear in a message, including the bot. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly bot: boolean;
}

/** A role without its permissions. `@everyone` is not listed. */
export interface SceneRole {
  readonly id: string;
  readonly name: string;
  /** A higher number is a higher rank. */
  readonly position: number;
}

/** A channel, thread or conversation that the member can see. */
export interface SceneChannel {
  readonly id: string;
  /** Discord's channel type. */
  readonly kind: number;
  readonly name: string;
  /** `undefined` in direct messages. */
  readonly guildId: string | undefined;
  /** For threads: the channel that they belong to. */
  readonly parentId: string | undefined;
  readonly canWrite: boolean;
  /** For direct messages: everybody else in the conversation. */
  readonly recipientIds: readonly string[];
}

export interface SceneGuild {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  /** Highest first. */
  readonly roles: readonly SceneRole[];
  readonly members: readonly { readonly userId: string; readonly roleIds: readonly string[] }[];
  /** The guild's channels in their order, then its threads. */
  readonly channels: readonly SceneChannel[];
}

/** Everything but the messages, as one member sees it. */
export interface Scene {
  readonly me: Person;
  readonly botId: string;
  readonly guilds: readonly SceneGuild[];
  /** Direct messages; the conversation with the bot comes first. */
  readonly directs: readonly SceneChannel[];
  readonly people: readonly Person[];
  readonly uploadLimitBytes: number;
}

export interface OfferedCommand {
  /** Discord's command type. */
  readonly kind: number;
  readonly name: string;
  readonly description: string;
  readonly options: readonly CommandOption[];
}

/** A message as a member sees it, and what the client shows around it. */
export interface ChatMessage extends SeenMessage {
  /** The command that the message answers, and its caller. */
  readonly used: { readonly userId: string; readonly command: string } | undefined;
  readonly interactionId: string | undefined;
  readonly mayDelete: boolean;
}

/** The first result of an action, as soon as the bot acknowledged it in any way, "thinking…" included. */
export interface ActionAnswer {
  readonly interactionId?: string;
  readonly modal?: OpenModal;
  /** The bot's autocomplete choices. */
  readonly choices?: readonly { readonly name: string; readonly value: string | number }[];
}

/** Why an action failed. `refused`: Discord's client would not allow it. `no-response`: the bot did not answer. */
export type RefusalKind = "refused" | "no-response";

export interface Refusal {
  readonly error: string;
  readonly kind: RefusalKind;
}

const file = z
  .object({ name: z.string(), base64: z.base64() })
  .transform(({ name, base64 }) => ({ name, bytes: Uint8Array.fromBase64(base64) }));

export type SentFile = z.input<typeof file>;

const plain = z.union([z.string(), z.number(), z.boolean()]);

/** What a member can do. The member and the channel are added when it is sent. */
export const actions = z.discriminatedUnion("do", [
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

/** The type with browser `File`s, before they are encoded as JSON. */
export type WithFiles<T> = T extends SentFile
  ? File
  : T extends readonly (infer Item)[]
    ? readonly WithFiles<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: WithFiles<T[Key]> }
      : T;

/** An action before the page encodes its files. */
export type Action = WithFiles<z.input<typeof actions>>;

/** The values of a form's fields, by custom id. */
export type FieldValues = Extract<Action, { readonly do: "submit" }>["fields"];

export type { Component, CommandOption, OpenModal, SeenMessage };

// An interaction as Discord sends it, with only the fields that the bot uses. It is parsed from the raw gateway
// payload: discord.js's objects are built later, cost time before the answer, and throw if fields are absent.
// https://discord.com/developers/docs/interactions/receiving-and-responding
import { z } from "zod";
import type { Asker } from "../core/asker.ts";
import type { Caller, Media } from "./define/context.ts";
import { memberSchema } from "./guild-rights.ts";

/** Discord's limit for a file in a server without boosts. Only interactions can contain a higher one. */
export const DEFAULT_UPLOAD_LIMIT_BYTES = 10 * 1024 * 1024;

export const userSchema = z.object({ id: z.string() });

/** Attachment flag 1<<3. Since 2026, the prefix `SPOILER_` of a name has no meaning. */
const IS_SPOILER = 1 << 3;

const attachment = z
  .object({
    filename: z.string(),
    title: z.string().nullish(),
    url: z.string(),
    size: z.number(),
    content_type: z.string().nullish(),
    description: z.string().nullish(),
    flags: z.number().nullish(),
  })
  .transform((raw): Media => ({
    name: raw.filename,
    title: raw.title ?? undefined,
    url: raw.url,
    sizeBytes: raw.size,
    contentType: raw.content_type ?? undefined,
    spoiler: ((raw.flags ?? 0) & IS_SPOILER) !== 0,
    description: raw.description ?? undefined,
  }));

/** The content of a message, or of one that it forwards. `message-media.ts` reads the embeds and components. */
const contents = z.object({
  content: z.string().default(""),
  attachments: z.array(attachment).default([]),
  embeds: z.array(z.unknown()).catch([]),
  components: z.array(z.unknown()).default([]),
});

export const message = contents.extend({
  id: z.string(),
  channel_id: z.string(),
  author: userSchema,
  flags: z.number().default(0),
  message_snapshots: z.array(z.object({ message: contents })).catch([]),
});

export const resolved = z.object({
  attachments: z.record(z.string(), attachment).optional(),
  channels: z.record(z.string(), z.object({ id: z.string(), name: z.string().nullish() })).optional(),
  roles: z.record(z.string(), z.object({ id: z.string(), name: z.string() })).optional(),
  messages: z.record(z.string(), message).optional(),
});

const value = z.object({
  name: z.string(),
  type: z.number(),
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  focused: z.boolean().optional(),
});
// Options nest as deeply as Discord allows. A recursive schema would be checked for cycles at each interaction.
const subcommand = value.extend({ options: z.array(value).optional() });
const option = value.extend({ options: z.array(subcommand).optional() });

const command = z.object({
  id: z.string().optional(),
  name: z.string(),
  type: z.number(),
  target_id: z.string().optional(),
  options: z.array(option).optional(),
  resolved: resolved.optional(),
});

const component = z.object({
  custom_id: z.string(),
  component_type: z.number(),
  values: z.array(z.string()).optional(),
});

const field = z.object({
  type: z.number().optional(),
  custom_id: z.string().optional(),
  value: z.union([z.string(), z.boolean()]).nullish(),
  values: z.array(z.string()).nullish(),
});

const form = z.object({
  custom_id: z.string(),
  components: z.array(z.object({ component: field.optional() })),
  resolved: resolved.optional(),
});

const key = {
  id: z.string(),
  token: z.string(),
  application_id: z.string(),
  attachment_size_limit: z.number().default(DEFAULT_UPLOAD_LIMIT_BYTES),
};

const base = {
  ...key,
  guild_id: z.string().optional(),
  channel_id: z.string().optional(),
  channel: z.object({ type: z.number(), parent_id: z.string().nullish() }).optional().catch(undefined),
  /** The keys say how the bot was installed: "0" in a server, "1" by a person. */
  authorizing_integration_owners: z.record(z.string(), z.string()).optional().catch(undefined),
  member: memberSchema
    .extend({
      user: userSchema,
      permissions: z.string().default("0"),
      roles: z.array(z.string()).default([]),
    })
    .optional(),
  user: userSchema.optional(),
};

const interaction = z.discriminatedUnion("type", [
  z.object({ ...base, type: z.literal(2), data: command }),
  z.object({ ...base, type: z.literal(3), data: component, message }),
  z.object({ ...base, type: z.literal(4), data: command }),
  z.object({ ...base, type: z.literal(5), data: form, message: message.optional() }),
]);

/** The types: 2 is a command or menu, 3 a press on a component, 4 autocomplete, 5 a submitted form. */
export type Interaction = z.infer<typeof interaction>;
export type CommandInteraction = Extract<Interaction, { type: 2 }>;
export type ComponentInteraction = Extract<Interaction, { type: 3 }>;
export type CompletionInteraction = Extract<Interaction, { type: 4 }>;
export type FormInteraction = Extract<Interaction, { type: 5 }>;
/** An interaction that is answered with a message or a form. */
export type TaskInteraction = Exclude<Interaction, CompletionInteraction>;

/** An option as it was typed; subcommands contain further options. */
export type RawOption = z.infer<typeof option>;
export type RawMessage = z.infer<typeof message>;
export type RawContents = z.infer<typeof contents>;
export type Resolved = z.infer<typeof resolved>;

/** The types of interactions that wait for a message; autocomplete does not. */
const waiting = z.object({ ...key, type: z.union([z.literal(2), z.literal(3), z.literal(5)]) });

/** The fields that are needed to answer with a message. */
export interface InteractionKey extends Omit<z.infer<typeof waiting>, "type"> {
  readonly message?: Pick<RawMessage, "components" | "flags"> | undefined;
}

/** For a payload that {@link parseInteraction} cannot parse; `undefined` if nobody waits for a message. */
export function parseInteractionKey(payload: unknown): InteractionKey | undefined {
  return waiting.safeParse(payload).data;
}

/** Parses a payload. Throws a ZodError if its type or shape is unknown. */
export function parseInteraction(payload: unknown): Interaction {
  return interaction.parse(payload);
}

export function askerOf(given: Interaction): Asker {
  const guildId = isUserInstall(given) ? undefined : given.guild_id;
  return { userId: callerOf(given).id, guildId };
}

const GUILD_INSTALL = "0";

/** Whether the bot can be used there only because the person has installed it for themselves. */
export function isUserInstall({
  authorizing_integration_owners: owners,
}: Partial<Pick<Interaction, "authorizing_integration_owners">>): boolean {
  return owners !== undefined && !(GUILD_INSTALL in owners);
}

export function callerOf({ member, user = member?.user }: Interaction): Caller {
  return { id: user?.id ?? "", roles: member?.roles ?? [] };
}

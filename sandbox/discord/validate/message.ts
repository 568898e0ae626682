// Bodies of messages: what may be sent, edited, and what may stand beside what.
import { z } from "zod";
import { refusal, refuseProblems, type Problem } from "../errors.ts";
import { MESSAGE_FLAGS } from "../serialise/message.ts";
import { messageComponents } from "./layout.ts";
import { parseForm, report } from "./problems.ts";
import { findTreeProblems } from "./tree.ts";

const snowflake = z.union([z.string().regex(/^\d{1,20}$/), z.int().nonnegative().transform(String)]);

const embedMedia = z.object({ url: z.string().max(2048) });

const embed = z.object({
  title: z.string().max(256).nullish(),
  type: z.string().nullish(),
  description: z.string().max(4096).nullish(),
  url: z.string().max(2048).nullish(),
  timestamp: z.string().nullish(),
  color: z.int().min(0).max(0xffffff).nullish(),
  footer: z.object({ text: z.string().max(2048), icon_url: z.string().nullish() }).nullish(),
  image: embedMedia.nullish(),
  thumbnail: embedMedia.nullish(),
  author: z.object({ name: z.string().max(256), url: z.string().nullish() }).nullish(),
  fields: z
    .array(
      z.object({
        name: z.string().min(1).max(256),
        value: z.string().min(1).max(1024),
        inline: z.boolean().nullish(),
      }),
    )
    .max(25)
    .nullish(),
});

const allowedMentions = z
  .object({
    parse: z.array(z.enum(["users", "roles", "everyone"])).nullish(),
    users: z.array(snowflake).max(100).nullish(),
    roles: z.array(snowflake).max(100).nullish(),
    replied_user: z.boolean().nullish(),
  })
  .superRefine((value, context) => {
    for (const kind of ["users", "roles"] as const) {
      if (value.parse?.includes(kind) && (value[kind] ?? []).length > 0) {
        report(
          context,
          [kind],
          "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
          `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
        );
      }
    }
  });

const attachmentEntry = z.object({
  id: snowflake,
  filename: z.string().min(1).max(1024).nullish(),
  description: z.string().max(1024).nullish(),
  is_spoiler: z.boolean().nullish(),
});

const messageForm = z.object({
  content: z.string().max(2000).nullish(),
  nonce: z.union([z.string().max(25), z.int().transform(String)]).nullish(),
  enforce_nonce: z.boolean().nullish(),
  embeds: z.array(embed).max(10).nullish(),
  allowed_mentions: allowedMentions.nullish(),
  message_reference: z
    .object({
      type: z.int().nullish(),
      message_id: snowflake,
      channel_id: snowflake.nullish(),
      guild_id: snowflake.nullish(),
      fail_if_not_exists: z.boolean().nullish(),
    })
    .nullish(),
  components: messageComponents.nullish(),
  sticker_ids: z.array(snowflake).max(3).nullish(),
  poll: z.unknown().optional(),
  flags: z.int().nonnegative().nullish(),
  attachments: z.array(attachmentEntry).max(10).nullish(),
});

/** A message's body whose parts are right one by one. */
export type MessageForm = z.output<typeof messageForm>;

/** Throws 50035. */
export function parseMessageForm(body: unknown): MessageForm {
  return parseForm(messageForm, body);
}

/** A message as it would become, to be judged as a whole. */
export interface MessageDraft {
  readonly content: string;
  readonly embeds: readonly unknown[];
  readonly components: readonly unknown[];
  readonly fileNames: readonly string[];
  readonly flags: number;
  readonly hasPoll: boolean;
  readonly hasStickers: boolean;
  readonly hasForward: boolean;
}

/** Throws 50006 for an empty message and 50035 for parts that do not go together. */
export function refuseDraft(draft: MessageDraft): void {
  const isV2 = (draft.flags & MESSAGE_FLAGS.componentsV2) !== 0;
  const problems = [
    ...(isV2 ? findLegacyFields(draft) : []),
    ...findEmbedProblems(draft.embeds),
    ...findTreeProblems(draft.components, { isV2, files: draft.fileNames }),
  ];
  refuseProblems(problems);
  const parts = [draft.content, draft.embeds, draft.components, draft.fileNames];
  if (
    parts.every(({ length }) => length === 0) &&
    !draft.hasPoll &&
    !draft.hasStickers &&
    !draft.hasForward
  ) {
    throw refusal("emptyMessage");
  }
}

function findLegacyFields(draft: MessageDraft): Problem[] {
  const present = [
    ["content", draft.content.length > 0],
    ["embeds", draft.embeds.length > 0],
    ["poll", draft.hasPoll],
    ["sticker_ids", draft.hasStickers],
  ] as const;
  return present
    .filter(([, isPresent]) => isPresent)
    .map(([field]) => ({
      path: [field],
      code: "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
      message: `The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
    }));
}

/** Characters over all embeds of a message. */
const MAX_EMBED_CHARACTERS = 6000;

function findEmbedProblems(embeds: readonly unknown[]): Problem[] {
  const characters = embeds.reduce<number>((total, value) => total + countTexts(value), 0);
  return characters > MAX_EMBED_CHARACTERS
    ? [
        {
          path: ["embeds"],
          code: "MAX_EMBED_SIZE_EXCEEDED",
          message: `Embed size exceeds maximum size of ${MAX_EMBED_CHARACTERS}`,
        },
      ]
    : [];
}

function countTexts(value: unknown, key = ""): number {
  if (typeof value === "string") {
    return ["title", "description", "text", "name", "value"].includes(key) ? value.length : 0;
  }
  if (typeof value !== "object" || value === null) {
    return 0;
  }
  return Object.entries(value).reduce((total, [name, child]) => total + countTexts(child, name), 0);
}

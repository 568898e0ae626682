// Parses the bodies of messages, and checks whether their parts can be combined.
import { MessageFlags, MessageReferenceType } from "discord-api-types/v10";
import { z } from "zod";
import { refusal, refuseProblems, type Problem } from "../errors.ts";
import { messageComponents } from "./components.ts";
import { parseForm, report } from "./problems.ts";
import { findTreeProblems } from "./tree.ts";

const snowflake = z.union([z.string().regex(/^\d{1,20}$/), z.int().nonnegative().transform(String)]);

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
  allowed_mentions: allowedMentions.nullish(),
  message_reference: z
    .object({
      // Forwarding (1) is not supported.
      type: z.literal(MessageReferenceType.Default).nullish(),
      message_id: snowflake,
      fail_if_not_exists: z.boolean().nullish(),
    })
    .nullish(),
  components: messageComponents.nullish(),
  // The sandbox refuses features that it does not support, instead of ignoring them.
  embeds: z.array(z.never()).max(0).nullish(),
  sticker_ids: z.array(z.never()).max(0).nullish(),
  poll: z.null().optional(),
  flags: z.int().nonnegative().nullish(),
  attachments: z.array(attachmentEntry).max(10).nullish(),
});

/** A message's body in which each part is valid on its own. */
export type MessageForm = z.output<typeof messageForm>;

/** Parses a message's body. Throws 50035. */
export function parseMessageForm(body: unknown): MessageForm {
  return parseForm(messageForm, body);
}

/** A message as it would be after the request, to be checked as a whole. */
export interface MessageDraft {
  readonly content: string;
  readonly components: readonly unknown[];
  readonly fileNames: readonly string[];
  readonly flags: number;
}

/** Throws 50006 for an empty message and 50035 for parts that cannot be combined. */
export function checkDraft({ content, components, fileNames, flags }: MessageDraft): void {
  const isV2 = (flags & MessageFlags.IsComponentsV2) !== 0;
  const legacy: Problem = {
    path: ["content"],
    code: "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
    message: "The 'content' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
  };
  refuseProblems([
    ...(isV2 && content !== "" ? [legacy] : []),
    ...findTreeProblems(components, { isV2, files: fileNames }),
  ]);
  if (content === "" && components.length === 0 && fileNames.length === 0) {
    throw refusal("emptyMessage");
  }
}

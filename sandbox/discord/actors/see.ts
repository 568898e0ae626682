// A message as one member sees it.
import { MessageFlags, MessageType } from "discord-api-types/v10";
import { COMPONENT_TYPES } from "../component-types.ts";
import type { Message } from "../entities.ts";
import { linkTo } from "../links.ts";
import type { Platform } from "../platform.ts";
import { walkComponents } from "../serialise/message.ts";
import type { SeenMessage } from "./member-types.ts";

/** Whether a person sees a message; without a person, whether everyone does. */
export function isVisibleTo(message: Message, userId: string | undefined): boolean {
  return message.visibleTo === undefined || message.visibleTo === userId;
}

function textOf(message: Message): string {
  const displays = [...walkComponents(message.components)]
    .filter(({ type }) => type === COMPONENT_TYPES.textDisplay)
    .map((component) => String(component["content"]));
  return [message.content, ...displays].filter((text) => text !== "").join("\n");
}

export function seeMessage(platform: Platform, message: Message): SeenMessage {
  const author = platform.state.users.get(message.authorId);
  return {
    id: message.id,
    channelId: message.channelId,
    author: { id: message.authorId, name: author?.displayName ?? "?", bot: author?.bot ?? false },
    content: message.content,
    flags: message.flags,
    components: message.components,
    attachments: message.attachments.map((file) => ({
      id: file.id,
      filename: file.filename,
      url: linkTo(platform, file),
      size: file.bytes.length,
      description: file.description,
      contentType: file.contentType,
      width: file.width,
      height: file.height,
      spoiler: file.spoiler,
    })),
    ephemeral: message.visibleTo !== undefined,
    loading: (message.flags & MessageFlags.Loading) !== 0,
    createdAtMs: message.createdAtMs,
    editedAtMs: message.editedAtMs,
    repliesTo: message.repliesTo,
    because: reasonOf(platform, message),
    text: textOf(message),
    pings: [
      ...message.mentionedUserIds,
      ...message.mentionedRoleIds,
      ...(message.mentionsEveryone ? ["everyone"] : []),
    ],
  };
}

function reasonOf(platform: Platform, { kind, origin }: Message): string | undefined {
  if (origin?.commandName === undefined) {
    return undefined;
  }
  const name = platform.state.users.get(origin.userId)?.displayName ?? "?";
  return `${name} used ${kind === MessageType.ContextMenuCommand ? origin.commandName : `/${origin.commandName}`}`;
}

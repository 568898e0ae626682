// Routes for messages in channels, with the bot's token.
import { ChannelType, MessageFlags, MessageType } from "discord-api-types/v10";
import type { Message } from "../entities.ts";
import { refusal } from "../errors.ts";
import { isAllowed, permissionToWrite } from "../permissions.ts";
import type { Platform } from "../platform.ts";
import { CROSSPOSTS, OLD_EDITS, PUBLISHED_EDITS, spend } from "../rules/allowances.ts";
import {
  publicMessage,
  requireBotPermissions,
  requireHistoryForReply,
  requirePlaceToWrite,
  visibleChannel,
} from "../rules/bot-access.ts";
import { deleteMessage, editMessage, postMessage } from "../rules/messages.ts";
import { isBlankOverRest } from "../rules/privileged.ts";
import { refuseArchived } from "../rules/threads.ts";
import { formatMessage } from "../serialise/message.ts";
import { listPart } from "../validate/list-query.ts";
import { isGiven } from "../validate/problems.ts";
import { parseMessageForm } from "../validate/message.ts";
import { createRoutes, noContent, type Routes } from "./environment.ts";

/** Edits of messages older than this have a separate limit. */
const OLD_AFTER_MS = 3_600_000;
/** How many messages a list contains, and which come if there are more. */
const LISTED = { usual: 50, most: 100, first: "newest" } as const;

export function messageRoutes(platform: Platform): Routes {
  const botId = platform.state.application.id;
  const base = "/channels/:channel/messages";
  return (
    createRoutes()
      .post(base, (context) => {
        const { body, record } = context.var;
        const channel = visibleChannel(platform, context.req.param("channel"));
        requirePlaceToWrite(platform, channel);
        const request = { form: parseMessageForm(body.json ?? {}), files: body.files };
        requireBotPermissions(platform, channel, permissionToWrite(channel));
        if (body.files.length > 0) {
          requireBotPermissions(platform, channel, "AttachFiles");
        }
        if (isGiven(request.form.message_reference)) {
          requireHistoryForReply(platform, channel);
        }
        const onRepeat = () => {
          if (record !== undefined) {
            record.isRepeat = true;
          }
        };
        const message = postMessage(
          platform,
          { channel, authorId: botId, kind: MessageType.Default, onRepeat },
          request,
        );
        return context.json(formatMessage(platform, message));
      })
      .get(base, (context) => {
        const channel = visibleChannel(platform, context.req.param("channel"));
        if (!isAllowed(platform.state, channel, botId, "ReadMessageHistory")) {
          return context.json([]);
        }
        const messages = [...channel.messages.values()].filter(({ visibleTo }) => visibleTo === undefined);
        // Discord lists the newest first.
        return context.json(
          listPart(messages, context.req.query(), LISTED)
            .toReversed()
            .map((message) =>
              formatMessage(platform, message, { blank: isBlankOverRest(platform, message) }),
            ),
        );
      })
      .get(`${base}/:message`, (context) => {
        const channel = visibleChannel(platform, context.req.param("channel"));
        requireBotPermissions(platform, channel, "ReadMessageHistory");
        const message = publicMessage(channel, context.req.param("message"));
        return context.json(formatMessage(platform, message, { blank: isBlankOverRest(platform, message) }));
      })
      .patch(`${base}/:message`, (context) => {
        const { body } = context.var;
        const channel = visibleChannel(platform, context.req.param("channel"));
        const message = publicMessage(channel, context.req.param("message"));
        if (message.authorId !== botId) {
          throw refusal("notTheAuthor");
        }
        refuseArchived(platform, channel);
        const request = { form: parseMessageForm(body.json ?? {}), files: body.files };
        if (body.files.length > 0) {
          requireBotPermissions(platform, channel, "AttachFiles");
        }
        spendEdit(platform, message);
        return context.json(formatMessage(platform, editMessage(platform, message, request)));
      })
      .delete(`${base}/:message`, (context) => {
        const channel = visibleChannel(platform, context.req.param("channel"));
        const message = publicMessage(channel, context.req.param("message"));
        if (message.authorId !== botId) {
          if (channel.guildId === undefined) {
            throw refusal("notInDirectMessages");
          }
          requireBotPermissions(platform, channel, "ManageMessages");
        }
        refuseArchived(platform, channel);
        deleteMessage(platform, channel, message);
        return noContent(context);
      })
      // Publishes a message of an announcement channel. Discord sends it to the guilds that follow the channel.
      .post(`${base}/:message/crosspost`, (context) => {
        const channel = visibleChannel(platform, context.req.param("channel"));
        const message = publicMessage(channel, context.req.param("message"));
        if (channel.kind !== ChannelType.GuildAnnouncement) {
          throw refusal("wrongChannelKind");
        }
        requireBotPermissions(platform, channel, "SendMessages");
        if (message.authorId !== botId) {
          requireBotPermissions(platform, channel, "ManageMessages");
        }
        if ((message.flags & MessageFlags.Crossposted) !== 0) {
          throw refusal("alreadyCrossposted");
        }
        spend(platform, `crossposts ${channel.id}`, CROSSPOSTS, "rateLimited");
        message.flags |= MessageFlags.Crossposted;
        platform.changes.emit({ type: "message-updated", message });
        return context.json(formatMessage(platform, message));
      })
  );
}

/**
 * Counts an edit with the bot's token. Throws 20022 for too many edits of a published message, and 30046 for too many
 * edits of messages older than an hour in the channel; both are 429s.
 */
function spendEdit(platform: Platform, message: Message): void {
  if ((message.flags & MessageFlags.Crossposted) !== 0) {
    spend(platform, `published-edits ${message.id}`, PUBLISHED_EDITS, "announcementEdits");
  }
  if (platform.clock.now() - message.createdAtMs > OLD_AFTER_MS) {
    spend(platform, `old-edits ${message.channelId}`, OLD_EDITS, "oldEdits");
  }
}

// Messages of channels, by the bot's token.
import { refusal } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { publicMessage, requireBotPermissions, visibleChannel } from "../rules/bot-access.ts";
import { deleteMessage, editMessage, postMessage } from "../rules/messages.ts";
import { isBlankOverRest } from "../rules/privileged.ts";
import { formatMessage } from "../serialise/message.ts";
import { parseMessageForm } from "../validate/message.ts";
import { createRoutes, noContent, type Routes } from "./environment.ts";

/** How many messages a list holds. */
const DEFAULT_LIST = 50;
const LONGEST_LIST = 100;

export function messageRoutes(platform: Platform): Routes {
  const botId = platform.state.application.id;
  const base = "/channels/:channel/messages";
  return createRoutes()
    .post(base, (context) => {
      const { body } = context.var;
      const channel = visibleChannel(platform, context.req.param("channel"));
      requireBotPermissions(platform, channel, "SendMessages");
      if (body.files.length > 0) {
        requireBotPermissions(platform, channel, "AttachFiles");
      }
      const request = { form: parseMessageForm(body.json ?? {}), files: body.files };
      const message = postMessage(platform, { channel, authorId: botId, kind: 0 }, request);
      return context.json(formatMessage(platform, message));
    })
    .get(base, (context) => {
      const channel = visibleChannel(platform, context.req.param("channel"));
      requireBotPermissions(platform, channel, "ReadMessageHistory");
      const { limit, before, after } = context.req.query();
      const count = Math.min(Number(limit ?? DEFAULT_LIST) || DEFAULT_LIST, LONGEST_LIST);
      const messages = [...channel.messages.values()].filter(
        ({ id, visibleTo }) =>
          visibleTo === undefined &&
          (before === undefined || BigInt(id) < BigInt(before)) &&
          (after === undefined || BigInt(id) > BigInt(after)),
      );
      // `after` names the oldest of the wanted ones, everything else the newest; told newest first.
      const wanted = after === undefined ? messages.slice(-count) : messages.slice(0, count);
      return context.json(
        wanted
          .toReversed()
          .map((message) => formatMessage(platform, message, { blank: isBlankOverRest(platform, message) })),
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
      const request = { form: parseMessageForm(body.json ?? {}), files: body.files };
      return context.json(formatMessage(platform, editMessage(platform, message, request)));
    })
    .delete(`${base}/:message`, (context) => {
      const channel = visibleChannel(platform, context.req.param("channel"));
      const message = publicMessage(channel, context.req.param("message"));
      if (message.authorId !== botId) {
        requireBotPermissions(platform, channel, "ManageMessages");
      }
      deleteMessage(platform, channel, message);
      return noContent(context);
    });
}

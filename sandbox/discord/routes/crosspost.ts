// Publishing: a message of an announcement channel goes to the guilds that follow it.
import { refusal } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { CROSSPOSTS, spend } from "../rules/allowances.ts";
import { publicMessage, requireBotPermissions, visibleChannel } from "../rules/bot-access.ts";
import { formatMessage, MESSAGE_FLAGS } from "../serialise/message.ts";
import { createRoutes, type Routes } from "./environment.ts";

const ANNOUNCEMENT = 5;

export function crosspostRoutes(platform: Platform): Routes {
  const botId = platform.state.application.id;
  return createRoutes().post("/channels/:channel/messages/:message/crosspost", (context) => {
    const channel = visibleChannel(platform, context.req.param("channel"));
    const message = publicMessage(channel, context.req.param("message"));
    if (channel.kind !== ANNOUNCEMENT) {
      throw refusal("wrongChannelKind");
    }
    requireBotPermissions(platform, channel, "SendMessages");
    if (message.authorId !== botId) {
      requireBotPermissions(platform, channel, "ManageMessages");
    }
    if ((message.flags & MESSAGE_FLAGS.crossposted) !== 0) {
      throw refusal("alreadyCrossposted");
    }
    const retryAfterMs = spend(platform, `crossposts ${channel.id}`, CROSSPOSTS);
    if (retryAfterMs !== undefined) {
      throw refusal("rateLimited", retryAfterMs);
    }
    message.flags |= MESSAGE_FLAGS.crossposted;
    platform.changes.tell({ type: "message-updated", message });
    return context.json(formatMessage(platform, message));
  });
}

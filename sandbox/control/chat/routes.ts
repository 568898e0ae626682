// What the page's chat reads. What a member does goes through ../act.ts.
import { Hono } from "hono";
import { isVisibleTo, seeMessage } from "../../discord/actors/see.ts";
import type { Channel, Message, User } from "../../discord/entities.ts";
import type { Platform } from "../../discord/platform.ts";
import { mayDelete } from "../../discord/rules/member-messages.ts";
import { requireSight } from "../../discord/actors/stage.ts";
import { commandsOffered } from "../../discord/rules/commands.ts";
import { channelOf, userOf } from "../../discord/state.ts";
import type { ControlParts } from "../parts.ts";
import type { ChatMessage, OfferedCommand } from "./api.ts";
import { formatScene } from "./scene.ts";

/** `GET /scene?member=`, `GET /commands?member=&channel=`, `GET /messages?member=&channel=`. */
export function chatRoutes(parts: ControlParts): Hono {
  const { platform, state } = parts.discord;
  const placeOf = ({ member = "", channel = "" }: Record<string, string>) => {
    const user = userOf(state, parts.discord.member(member).id);
    const place = channelOf(state, channel);
    requireSight(platform, user, place);
    return { user, channel: place };
  };
  return new Hono()
    .get("/scene", (context) => context.json(formatScene(parts, context.req.query("member") ?? "")))
    .get("/commands", (context) => {
      const { user, channel } = placeOf(context.req.query());
      const commands = commandsOffered(platform, channel, user.id).map(
        ({ kind, name, description, options }): OfferedCommand => ({ kind, name, description, options }),
      );
      return context.json(commands);
    })
    .get("/messages", (context) => {
      const { user, channel } = placeOf(context.req.query());
      // Oldest first.
      const seen = [...channel.messages.values()].filter((message) => isVisibleTo(message, user.id));
      return context.json(seen.map((message) => formatMessage(platform, channel, message, user)));
    });
}

/** An answer to the entry of a message's menu. */
const MENU_ANSWER = 23;

/** As one member sees it. */
function formatMessage(platform: Platform, channel: Channel, message: Message, user: User): ChatMessage {
  const { origin, kind } = message;
  const command = origin?.commandName;
  const touch = { channel, message, userId: user.id };
  return {
    ...seeMessage(platform, message),
    used:
      origin === undefined || command === undefined
        ? undefined
        : { userId: origin.userId, command: kind === MENU_ANSWER ? command : `/${command}` },
    interactionId: origin?.interactionId,
    mayDelete: mayDelete(platform, touch),
  };
}

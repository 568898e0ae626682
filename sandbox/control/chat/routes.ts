// What the page's chat reads. What a member does goes through ../act.ts.
import { Hono } from "hono";
import { requireSight } from "../../discord/actors/stage.ts";
import { commandsOffered } from "../../discord/rules/commands.ts";
import { channelOf, userOf } from "../../discord/state.ts";
import type { ControlParts } from "../parts.ts";
import type { OfferedCommand } from "./api.ts";
import { formatMessages } from "./messages.ts";
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
        ({ id, kind, name, description, options }): OfferedCommand => ({
          id,
          kind,
          name,
          description,
          options,
        }),
      );
      return context.json(commands);
    })
    .get("/messages", (context) => {
      const { user, channel } = placeOf(context.req.query());
      return context.json(formatMessages(platform, channel, user));
    });
}

import { z } from "zod";
import { awaitInteraction } from "../discord/actors/answer.ts";
import { runMessageMenu, runSlash } from "../discord/actors/command-actions.ts";
import { chooseInMenu, pressButton } from "../discord/actors/component-actions.ts";
import { sendModal } from "../discord/actors/modal-actions.ts";
import { seeMessage } from "../discord/actors/see.ts";
import type { Interaction } from "../discord/entities.ts";
import type { LocalDiscord } from "../discord/server.ts";
import { channelOf, messageOf, userOf } from "../discord/state.ts";
import { actions, type ActionAnswer } from "./chat/api.ts";

const actionForm = z.intersection(z.object({ member: z.string(), channel: z.string() }), actions);

/**
 * Performs an action and returns what the member's client gets at once: `{ interactionId, modal? }`, `{ choices }` or `{}`.
 * Everything that follows appears in the channel. Throws an Error if Discord's client would not allow the action.
 */
export async function performAction(discord: LocalDiscord, body: unknown): Promise<ActionAnswer> {
  const { platform, gateway, state } = discord;
  const action = actionForm.parse(body);
  const member = discord.member(action.member);
  const user = userOf(state, member.id);
  const channel = channelOf(state, action.channel);
  const context = { platform, gateway };
  const seen = (messageId: string) => seeMessage(platform, messageOf(channel, messageId));
  switch (action.do) {
    case "say":
      await (action.repliesTo === undefined
        ? member.attach(channel, action.text, action.files)
        : member.reply(seen(action.repliesTo), action.text, action.files));
      return {};
    case "dismiss":
      member.dismiss(seen(action.messageId));
      return {};
    case "delete":
      await member.delete(seen(action.messageId));
      return {};
    case "complete": {
      const asked = runSlash(context, user, channel, action.command, action.options, action.focused);
      return { choices: await awaitInteraction(platform, asked, () => asked.choices) };
    }
    case "slash":
      return firstAnswer(discord, runSlash(context, user, channel, action.command, action.options));
    case "click":
      return firstAnswer(discord, pressButton(context, user, seen(action.messageId), action.button));
    case "select":
      return firstAnswer(
        discord,
        chooseInMenu(context, user, seen(action.messageId), action.menu, action.values),
      );
    case "menu":
      return firstAnswer(discord, runMessageMenu(context, user, seen(action.messageId), action.entry));
    case "submit": {
      const opened = state.interactions.get(action.interactionId);
      if (opened === undefined) {
        throw new Error("This form is no longer open.");
      }
      return firstAnswer(discord, sendModal(context, user, opened, action.fields));
    }
  }
}

/** Resolves as soon as the bot acknowledges the interaction in any way, "thinking…" included. */
async function firstAnswer({ platform }: LocalDiscord, interaction: Interaction): Promise<ActionAnswer> {
  await awaitInteraction(platform, interaction, () => interaction.callbackKind);
  const { id, modal } = interaction;
  return { interactionId: id, ...(modal === undefined ? {} : { modal }) };
}

import { z } from "zod";
import { awaitInteraction } from "../discord/actors/answer.ts";
import { runMessageMenu, runSlash } from "../discord/actors/command-actions.ts";
import { chooseInMenu, pressButton } from "../discord/actors/component-actions.ts";
import { sendModal } from "../discord/actors/modal-actions.ts";
import { seeMessage } from "../discord/actors/see.ts";
import type { Interaction } from "../discord/entities.ts";
import type { LocalDiscord } from "../discord/server.ts";
import { channelOf, messageOf, userOf } from "../discord/state.ts";
import { acts, type ActAnswer } from "./chat/api.ts";

const actForm = z.intersection(z.object({ member: z.string(), channel: z.string() }), acts);

/**
 * Performs an act and returns what the member's client gets at once: `{ interactionId, modal? }`, `{ choices }` or `{}`.
 * Everything that follows appears in the channel. Throws an Error if Discord's client would not allow the act.
 */
export async function performAct(discord: LocalDiscord, body: unknown): Promise<ActAnswer> {
  const { platform, gateway, state } = discord;
  const act = actForm.parse(body);
  const member = discord.member(act.member);
  const user = userOf(state, member.id);
  const channel = channelOf(state, act.channel);
  const context = { platform, gateway };
  const seen = (messageId: string) => seeMessage(platform, messageOf(channel, messageId));
  switch (act.do) {
    case "say":
      await (act.repliesTo === undefined
        ? member.attach(channel, act.text, act.files)
        : member.reply(seen(act.repliesTo), act.text, act.files));
      return {};
    case "dismiss":
      member.dismiss(seen(act.messageId));
      return {};
    case "delete":
      await member.delete(seen(act.messageId));
      return {};
    case "complete": {
      const asked = runSlash(context, user, channel, act.command, act.options, act.focused);
      return { choices: await awaitInteraction(platform, asked, () => asked.choices) };
    }
    case "slash":
      return firstAnswer(discord, runSlash(context, user, channel, act.command, act.options));
    case "click":
      return firstAnswer(discord, pressButton(context, user, seen(act.messageId), act.button));
    case "select":
      return firstAnswer(discord, chooseInMenu(context, user, seen(act.messageId), act.menu, act.values));
    case "menu":
      return firstAnswer(discord, runMessageMenu(context, user, seen(act.messageId), act.entry));
    case "submit": {
      const opened = state.interactions.get(act.interactionId);
      if (opened === undefined) {
        throw new Error("This form is no longer open.");
      }
      return firstAnswer(discord, sendModal(context, user, opened, act.fields));
    }
  }
}

/** Resolves as soon as the bot acknowledges the interaction in any way, "thinking…" included. */
async function firstAnswer({ platform }: LocalDiscord, interaction: Interaction): Promise<ActAnswer> {
  await awaitInteraction(platform, interaction, () => interaction.callbackKind);
  const { id, modal } = interaction;
  return { interactionId: id, ...(modal === undefined ? {} : { modal }) };
}

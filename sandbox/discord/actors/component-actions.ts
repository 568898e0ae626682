import { InteractionType } from "discord-api-types/v10";
import type { Component, Interaction, User } from "../entities.ts";
import type { SeenMessage } from "./member-types.ts";
import { findButton, findMenu } from "./answer.ts";
import { requireMessage, sendInteraction, type ActorContext } from "./send-interaction.ts";
import { seeMessage } from "./see.ts";

/** Presses a button. Throws if it does not exist, is disabled, or is only a link. */
export function pressButton(
  context: ActorContext,
  user: User,
  seen: SeenMessage,
  wanted: string,
): Interaction {
  const { channel, message } = requireMessage(context.platform, user, seen);
  const button = findButton(seeMessage(context.platform, message), wanted);
  if (button["disabled"] === true) {
    throw new Error(`the button ${wanted} is disabled`);
  }
  if (typeof button["custom_id"] !== "string") {
    throw new Error(`the button ${wanted} is a link: nothing is sent`);
  }
  const data = { component_type: button.type, custom_id: button["custom_id"], id: button.id };
  const what = { kind: InteractionType.MessageComponent, messageId: message.id } as const;
  return sendInteraction(context, user, channel, what, data);
}

/** Chooses from a menu. Throws if it does not exist, is disabled, or does not offer these values. */
export function chooseInMenu(
  context: ActorContext,
  user: User,
  seen: SeenMessage,
  wanted: string,
  values: readonly string[],
): Interaction {
  const { channel, message } = requireMessage(context.platform, user, seen);
  const menu = findMenu(seeMessage(context.platform, message), wanted);
  if (menu["disabled"] === true) {
    throw new Error(`the menu ${wanted} is disabled`);
  }
  const least = Number(menu["min_values"] ?? 1);
  const most = Number(menu["max_values"] ?? 1);
  if (values.length < least || values.length > most) {
    throw new Error(`the menu ${wanted} takes ${least} to ${most} values`);
  }
  const data = {
    component_type: menu.type,
    custom_id: menu["custom_id"],
    id: menu.id,
    values: values.map((value) => offeredValue(menu, value)),
  };
  const what = { kind: InteractionType.MessageComponent, messageId: message.id } as const;
  return sendInteraction(context, user, channel, what, data);
}

/** A value of a menu, found by value or label. Throws with the existing ones if there is none. */
export function offeredValue(menu: Component, wanted: string): string {
  const options: unknown[] = Array.isArray(menu["options"]) ? menu["options"] : [];
  const pairs = options.flatMap((option) =>
    typeof option === "object" && option !== null && "value" in option && "label" in option
      ? [{ value: String(option.value), label: String(option.label) }]
      : [],
  );
  const found = pairs.find(({ value, label }) => value === wanted || label === wanted);
  if (found === undefined) {
    throw new Error(`${wanted} is not offered: ${pairs.map(({ label }) => label).join(", ")}`);
  }
  return found.value;
}

// Waits for the bot's answer to an action.
import { InteractionResponseType } from "discord-api-types/v10";
import { COMPONENT_TYPES } from "../component-types.ts";
import type { Interaction, Message } from "../entities.ts";
import type { Platform } from "../platform.ts";
import { ACKNOWLEDGE_WITHIN_MS } from "../rules/interactions.ts";
import { walkComponents } from "../serialise/message.ts";
import type { Answer, SeenMessage } from "./member-types.ts";
import { seeMessage } from "./see.ts";

/** In real milliseconds, because the sandbox's clock may stand still. */
export const DEFAULT_DEADLINE_MS = 30_000;

/** The error of an action that the bot did not acknowledge or answer in time. */
export class NoResponseError extends Error {
  override readonly name = "NoResponseError";
}

type Outcome<T> = T | undefined;

/**
 * Settles as soon as `look` returns a result. Rejects if the bot has not acknowledged within 3 s on the sandbox's
 * clock, or if the deadline in real time passes.
 */
export function awaitInteraction<T>(
  platform: Platform,
  interaction: Interaction,
  look: () => Outcome<T>,
  deadlineMs: number = DEFAULT_DEADLINE_MS,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const what = interaction.commandName === undefined ? "the action" : `/${interaction.commandName}`;
    const deadline = setTimeout(() => {
      const state =
        interaction.callbackKind === undefined
          ? "has not been acknowledged"
          : `was acknowledged with ${interaction.callbackKind}, but nothing followed`;
      end(() => reject(new NoResponseError(`${what} ${state} within ${deadlineMs} ms of real time`)));
    }, deadlineMs);
    const cancelLimit = platform.clock.after(ACKNOWLEDGE_WITHIN_MS, () => {
      if (interaction.callbackKind === undefined) {
        end(() => reject(new NoResponseError(`${what}: the application did not respond`)));
      }
    });
    const stopListening = platform.changes.listenTo(interaction.id, check);
    function end(then: () => void): void {
      clearTimeout(deadline);
      cancelLimit();
      stopListening();
      then();
    }
    function check(): void {
      if (interaction.callbackKind !== undefined) {
        cancelLimit();
      }
      const found = look();
      if (found !== undefined) {
        end(() => resolve(found));
      }
    }
  });
}

/** The first message that is more than "thinking…", or the bot's other answer; `undefined` if there is none yet. */
export function findAnswer(platform: Platform, interaction: Interaction): Answer | undefined {
  const { callbackKind } = interaction;
  if (callbackKind === undefined) {
    return undefined;
  }
  if (interaction.modal !== undefined) {
    return createAnswer(platform, interaction, undefined);
  }
  const messages = platform.state.channels.get(interaction.channelId)?.messages;
  const original = messages?.get(interaction.originalMessageId ?? "");
  const isOriginalReady =
    callbackKind === InteractionResponseType.ChannelMessageWithSource ||
    callbackKind === InteractionResponseType.UpdateMessage ||
    (callbackKind === InteractionResponseType.DeferredChannelMessageWithSource && !interaction.isLoading) ||
    (callbackKind === InteractionResponseType.DeferredMessageUpdate && interaction.isOriginalEdited);
  if (isOriginalReady && original !== undefined) {
    return createAnswer(platform, interaction, original);
  }
  const further = interaction.messageIds
    .filter((id) => id !== interaction.originalMessageId)
    .map((id) => messages?.get(id))
    .find((message) => message !== undefined);
  if (further !== undefined) {
    return createAnswer(platform, interaction, further);
  }
  const isUpdate =
    callbackKind === InteractionResponseType.DeferredMessageUpdate ||
    callbackKind === InteractionResponseType.UpdateMessage;
  return original === undefined && isUpdate ? createAnswer(platform, interaction, undefined) : undefined;
}

function createAnswer(platform: Platform, interaction: Interaction, message: Message | undefined): Answer {
  const seen = message === undefined ? undefined : seeMessage(platform, message);
  const { modal } = interaction;
  function read(): SeenMessage {
    if (seen === undefined) {
      throw new Error(
        modal === undefined
          ? "the bot answered with nothing visible"
          : "the answer is a modal, not a message",
      );
    }
    return seen;
  }
  return {
    interactionId: interaction.id,
    kind: modal === undefined ? (seen === undefined ? "none" : "message") : "modal",
    get message() {
      return read();
    },
    get modal() {
      if (modal === undefined) {
        throw new Error("the answer is not a modal");
      }
      return modal;
    },
    get text() {
      return modal === undefined ? read().text : modal.title;
    },
    button: (label) => findButton(read(), label),
  };
}

/** A button by label, custom id or emoji. Throws with the existing labels if there is none. */
export function findButton(message: SeenMessage, wanted: string) {
  const buttons = [...walkComponents(message.components)].filter(
    ({ type }) => type === COMPONENT_TYPES.button,
  );
  const names = (button: (typeof buttons)[number]) => {
    const emoji = button["emoji"];
    const face = typeof emoji === "object" && emoji !== null && "name" in emoji ? emoji.name : undefined;
    return [button["label"], button["custom_id"], face];
  };
  const found = buttons.find((button) => names(button).includes(wanted));
  if (found === undefined) {
    const labels = buttons.map((button) => names(button).find((name) => name !== undefined));
    throw new Error(`there is no button ${wanted}: ${labels.map(String).join(", ") || "none at all"}`);
  }
  return found;
}

/** A menu by placeholder or custom id. Throws with the existing ones if there is none. */
export function findMenu(message: SeenMessage, wanted: string) {
  const menus = [...walkComponents(message.components)].filter(
    ({ type }) => type === COMPONENT_TYPES.stringSelect,
  );
  const found = menus.find((menu) => menu["placeholder"] === wanted || menu["custom_id"] === wanted);
  if (found === undefined) {
    const names = menus.map((menu) => menu["placeholder"] ?? menu["custom_id"]);
    throw new Error(`there is no menu ${wanted}: ${names.join(", ") || "none at all"}`);
  }
  return found;
}

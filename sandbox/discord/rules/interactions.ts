// The life of an interaction: created by an actor, acknowledged once within 3 s, followed up for up to 15 minutes.
import {
  ApplicationCommandType,
  type InteractionResponseType,
  MessageFlags,
  MessageType,
} from "discord-api-types/v10";
import type { Interaction, Message, MessageOrigin, NewInteraction } from "../entities.ts";
import { invalidForm, refusal, type DiscordError } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { channelOf, messageOf } from "../state.ts";
import {
  deleteMessage,
  editMessage,
  postMessage,
  postThinking,
  type MessageRequest,
  type Posting,
} from "./messages.ts";

export const ACKNOWLEDGE_WITHIN_MS = 3000;
const TOKEN_LIFE_MS = 15 * 60_000;

/** Creates an interaction with its token, and deletes those whose tokens expired long ago. */
export function createInteraction(platform: Platform, wanted: NewInteraction): Interaction {
  const { state, ids, clock } = platform;
  for (const old of state.interactions.values()) {
    if (old.createdAtMs + 2 * TOKEN_LIFE_MS > clock.now()) {
      break;
    }
    state.interactions.delete(old.id);
    state.interactionsByToken.delete(old.token);
  }
  const id = ids.next();
  const interaction: Interaction = {
    ...wanted,
    id,
    token: ids.tokenFor(id),
    createdAtMs: clock.now(),
    messageIds: [],
    followUps: 0,
    isLoading: false,
    isOriginalEdited: false,
  };
  state.interactions.set(id, interaction);
  state.interactionsByToken.set(interaction.token, interaction);
  return interaction;
}

/** The interaction that a callback answers. Throws 10062 if it is unknown or too old, 40060 if it was answered. */
export function interactionToAnswer(platform: Platform, id: string, token: string): Interaction {
  const interaction = platform.state.interactions.get(id);
  if (interaction === undefined || interaction.token !== token) {
    throw refusal("unknownInteraction");
  }
  if (interaction.callbackKind !== undefined) {
    throw refusal("alreadyAcknowledged");
  }
  if (platform.clock.now() - interaction.createdAtMs >= ACKNOWLEDGE_WITHIN_MS) {
    throw refusal("unknownInteraction");
  }
  return interaction;
}

/** The interaction in a webhook's path. Throws 10015 if it is unknown, 50027 if it has expired. */
export function interactionOfToken(platform: Platform, applicationId: string, token: string): Interaction {
  const interaction = platform.state.interactionsByToken.get(token);
  const isOurs = applicationId === platform.state.application.id;
  if (!isOurs || interaction === undefined || interaction.callbackKind === undefined) {
    throw refusal("unknownWebhook");
  }
  if (platform.clock.now() - interaction.createdAtMs >= TOKEN_LIFE_MS) {
    throw refusal("invalidWebhookToken");
  }
  return interaction;
}

/** Whether the bot has yet to acknowledge an interaction, and still has time to. */
export function isInteractionOpen({ state, clock }: Platform): boolean {
  const nowMs = clock.now();
  const sinceMs = nowMs - ACKNOWLEDGE_WITHIN_MS;
  return state.interactions.values().some(
    ({ callbackKind, createdAtMs }) =>
      // An interaction in the future was created before the clock was set back.
      callbackKind === undefined && createdAtMs > sinceMs && createdAtMs <= nowMs,
  );
}

export function acknowledge(
  platform: Platform,
  interaction: Interaction,
  callbackKind: InteractionResponseType,
): void {
  interaction.callbackKind = callbackKind;
  interaction.acknowledgedAtMs = platform.clock.now();
}

function postingOf(platform: Platform, interaction: Interaction, isPrivate: boolean) {
  const origin: MessageOrigin = {
    interactionId: interaction.id,
    interactionKind: interaction.kind,
    userId: interaction.userId,
    owners: interaction.owners,
    commandName: interaction.commandName,
    commandKind: interaction.command?.kind,
    token: interaction.token,
  };
  return {
    channel: channelOf(platform.state, interaction.channelId),
    authorId: platform.state.application.id,
    kind:
      interaction.command === undefined || interaction.command.kind === ApplicationCommandType.ChatInput
        ? MessageType.ChatInputCommand
        : MessageType.ContextMenuCommand,
    origin,
    visibleTo: isPrivate || interaction.isEphemeralOnly ? interaction.userId : undefined,
  } satisfies Posting;
}

const isEphemeralWanted = (request: MessageRequest) =>
  ((request.form.flags ?? 0) & MessageFlags.Ephemeral) !== 0;

export function answerWithMessage(
  platform: Platform,
  interaction: Interaction,
  request: MessageRequest,
): Message {
  const posting = postingOf(platform, interaction, isEphemeralWanted(request));
  return setOriginal(interaction, postMessage(platform, posting, request));
}

export function answerWithThinking(
  platform: Platform,
  interaction: Interaction,
  isPrivate: boolean,
): Message {
  interaction.isLoading = true;
  return setOriginal(interaction, postThinking(platform, postingOf(platform, interaction, isPrivate)));
}

function setOriginal(interaction: Interaction, message: Message): Message {
  interaction.originalMessageId = message.id;
  interaction.messageIds.push(message.id);
  return message;
}

/** The message of a component's interaction. Throws 50035 if there is none. */
export function messageOfComponent(platform: Platform, interaction: Interaction): Message {
  if (interaction.messageId === undefined) {
    throw wrongCallback("This kind of interaction has no message to update.");
  }
  return messageOf(channelOf(platform.state, interaction.channelId), interaction.messageId);
}

const MAX_GUEST_FOLLOW_UPS = 5;

/**
 * Sends a follow-up. Right after a defer, it replaces the "thinking…" instead (deprecated, but it works). Throws 40094
 * for a guest's sixth follow-up.
 */
export function followUp(platform: Platform, interaction: Interaction, request: MessageRequest): Message {
  const original = interaction.isLoading ? findMessage(platform, interaction, "@original") : undefined;
  if (original !== undefined) {
    const edited = editMessage(platform, original, request);
    interaction.isLoading = false;
    return edited;
  }
  if (interaction.isGuest && interaction.followUps >= MAX_GUEST_FOLLOW_UPS) {
    throw refusal("tooManyFollowUps");
  }
  const message = postMessage(
    platform,
    postingOf(platform, interaction, isEphemeralWanted(request)),
    request,
  );
  interaction.followUps += 1;
  interaction.messageIds.push(message.id);
  return message;
}

/** Finds a message of the interaction by `@original` or id. Throws 10008. */
export function findMessage(platform: Platform, interaction: Interaction, name: string): Message {
  const id = name === "@original" ? interaction.originalMessageId : name;
  const isOurs =
    id !== undefined && (id === interaction.originalMessageId || interaction.messageIds.includes(id));
  if (!isOurs) {
    throw refusal("unknownMessage");
  }
  return messageOf(channelOf(platform.state, interaction.channelId), id);
}

export function editAnswer(
  platform: Platform,
  interaction: Interaction,
  message: Message,
  request: MessageRequest,
): Message {
  const edited = editMessage(platform, message, request);
  if (message.id === interaction.originalMessageId) {
    interaction.isLoading = false;
    interaction.isOriginalEdited = true;
  }
  return edited;
}

export function deleteAnswer(platform: Platform, interaction: Interaction, message: Message): void {
  deleteMessage(platform, channelOf(platform.state, message.channelId), message);
  if (message.id === interaction.originalMessageId) {
    interaction.isLoading = false;
  }
}

export function wrongCallback(
  message = "This callback does not answer this kind of interaction.",
): DiscordError {
  return invalidForm([{ path: ["type"], code: "INTERACTION_CALLBACK_INVALID_TYPE", message }]);
}

// One person at their client.
import { PermissionFlagsBits } from "discord-api-types/v10";
import type { Channel, Interaction, User } from "../entities.ts";
import { openDirectChannel } from "../guilds.ts";
import { channelPermissions, hasPermissions, permissionToWrite } from "../permissions.ts";
import { commandsOffered } from "../rules/commands.ts";
import { deleteAsMember } from "../rules/member-messages.ts";
import { deleteMessage, postMessage } from "../rules/messages.ts";
import { parseMessageForm } from "../validate/message.ts";
import type { ActorFile, Answer, Member, SeenMessage, WaitOptions } from "./acts.ts";
import { awaitInteraction, findAnswer } from "./answer.ts";
import { askChoices, choicesOf, runMessageMenu, runSlash } from "./command-acts.ts";
import { chooseInMenu, pressButton } from "./component-acts.ts";
import { sendModal } from "./modal-acts.ts";
import { isVisibleTo, seeMessage } from "./see.ts";
import { requireMessage, requireSight, type Stage } from "./stage.ts";

const DEFAULT_DEADLINE_MS = 30_000;

/** Creates the actor of a user. Actors have no state, so one person may have several. */
export function createMember(stage: Stage, user: User): Member {
  const { platform } = stage;
  const { state } = platform;

  function answerTo(interaction: Interaction, wait: WaitOptions | undefined): Promise<Answer> {
    return awaitInteraction(platform, interaction, () => findAnswer(platform, interaction), wait?.deadlineMs);
  }

  function post(
    channel: Channel,
    text: string,
    files: readonly ActorFile[],
    repliesTo?: string,
  ): SeenMessage {
    requireSight(platform, user, channel);
    const guild = channel.guildId === undefined ? undefined : state.guilds.get(channel.guildId);
    if (
      !hasPermissions(
        channelPermissions(guild, channel, user.id),
        PermissionFlagsBits[permissionToWrite(channel)],
      )
    ) {
      throw new Error(`${user.displayName} may not write in ${channel.name}`);
    }
    const request = {
      form: parseMessageForm({
        content: text,
        ...(repliesTo === undefined ? {} : { message_reference: { message_id: repliesTo } }),
      }),
      files: files.map((file, index) => ({ ...file, key: String(index) })),
    };
    const message = postMessage(platform, { channel, authorId: user.id, kind: 0 }, request);
    return seeMessage(platform, message);
  }

  function messages(channel: Channel): readonly SeenMessage[] {
    requireSight(platform, user, channel);
    return [...channel.messages.values()]
      .filter((message) => isVisibleTo(message, user.id))
      .map((message) => seeMessage(platform, message));
  }

  const touch = (seen: SeenMessage) => ({ ...requireMessage(platform, user, seen), userId: user.id });

  return {
    id: user.id,
    name: user.displayName,
    slash: async (channel, command, options = {}, wait) =>
      answerTo(runSlash(stage, user, channel, command, options), wait),
    click: async (message, button, wait) => answerTo(pressButton(stage, user, message, button), wait),
    select: async (message, menu, values, wait) =>
      answerTo(chooseInMenu(stage, user, message, menu, values), wait),
    menu: async (message, entry, wait) => answerTo(runMessageMenu(stage, user, message, entry), wait),
    async submit(answer, fields, wait) {
      const opened = state.interactions.get(answer.interactionId);
      if (opened === undefined) {
        throw new Error("this form is no longer open");
      }
      return answerTo(sendModal(stage, user, opened, fields), wait);
    },
    async complete(channel, command, typed, focused, wait) {
      const interaction = askChoices(stage, user, channel, command, typed, focused);
      return awaitInteraction(platform, interaction, () => choicesOf(interaction), wait?.deadlineMs);
    },
    say: async (channel, text) => post(channel, text, []),
    attach: async (channel, text, files) => post(channel, text, files),
    mention: async (channel, text, files = []) =>
      post(channel, `<@${state.application.id}> ${text}`.trim(), files),
    reply: async (seen, text, files = []) =>
      post(requireMessage(platform, user, seen).channel, text, files, seen.id),
    delete: async (seen) => deleteAsMember(platform, touch(seen)),
    dm: () => openDirectChannel(platform, user.id),
    messages,
    look(seen) {
      const message = state.channels.get(seen.channelId)?.messages.get(seen.id);
      return message !== undefined && isVisibleTo(message, user.id)
        ? seeMessage(platform, message)
        : undefined;
    },
    waitForMessage: async (channel, test, wait) =>
      messages(channel).find(test) ?? waitForMessage(stage, user, channel, test, wait),
    async download(attachment) {
      const response = await fetch(attachment.url);
      if (!response.ok) {
        throw new Error(`the CDN answered ${response.status} for ${attachment.filename}`);
      }
      return new Uint8Array(await response.arrayBuffer());
    },
    dismiss(seen) {
      const { channel, message } = requireMessage(platform, user, seen);
      if (message.visibleTo !== user.id) {
        throw new Error("only a message that you alone see can be dismissed");
      }
      deleteMessage(platform, channel, message);
    },
    commands: (channel) => commandsOffered(platform, channel, user.id),
  };
}

function waitForMessage(
  { platform }: Stage,
  user: User,
  channel: Channel,
  test: (message: SeenMessage) => boolean,
  wait: WaitOptions | undefined,
): Promise<SeenMessage> {
  const deadlineMs = wait?.deadlineMs ?? DEFAULT_DEADLINE_MS;
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => {
      stopListening();
      reject(new Error(`no such message came to ${channel.name} within ${deadlineMs} ms of real time`));
    }, deadlineMs);
    const stopListening = platform.changes.listen((change) => {
      const isNews = change.type === "message-created" || change.type === "message-updated";
      if (!isNews || change.message.channelId !== channel.id || !isVisibleTo(change.message, user.id)) {
        return;
      }
      const seen = seeMessage(platform, change.message);
      try {
        if (!test(seen)) {
          return;
        }
        resolve(seen);
      } catch (error) {
        // An error in the test rejects the waiting call, not the bot's request that sent the message.
        reject(error);
      }
      clearTimeout(deadline);
      stopListening();
    });
  });
}

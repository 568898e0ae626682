import { MessageType } from "discord-api-types/v10";
import type { Channel, Choice, Interaction, User } from "../entities.ts";
import { openDirectChannel } from "../guilds.ts";
import { isAllowed, permissionToWrite } from "../permissions.ts";
import { commandsOffered } from "../rules/commands.ts";
import { deleteAsMember } from "../rules/member-messages.ts";
import { deleteMessage, postMessage } from "../rules/messages.ts";
import { parseMessageForm } from "../validate/message.ts";
import type {
  ActorFile,
  Answer,
  OptionInputs,
  SeenAttachment,
  SeenMessage,
  WaitOptions,
} from "./member-types.ts";
import { awaitInteraction, DEFAULT_DEADLINE_MS, findAnswer } from "./answer.ts";
import { runMessageMenu, runSlash } from "./command-actions.ts";
import { chooseInMenu, pressButton } from "./component-actions.ts";
import { sendModal, type FieldInput } from "./modal-actions.ts";
import { isVisibleTo, seeMessage } from "./see.ts";
import { requireMessage, requireVisibleChannel, type ActorContext } from "./send-interaction.ts";

export type Member = ReturnType<typeof createMember>;

/**
 * Creates the actor of a user: one person at their client. An action that the client would not offer rejects with the
 * reason. Actors have no state, so one person may have several.
 */
export function createMember(context: ActorContext, user: User) {
  const { platform } = context;
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
    requireVisibleChannel(platform, user, channel);
    if (!isAllowed(state, channel, user.id, permissionToWrite(channel))) {
      throw new Error(`${user.displayName} may not write in ${channel.name}`);
    }
    const request = {
      form: parseMessageForm({
        content: text,
        ...(repliesTo === undefined ? {} : { message_reference: { message_id: repliesTo } }),
      }),
      files: files.map((file, index) => ({ ...file, key: String(index) })),
    };
    const message = postMessage(platform, { channel, authorId: user.id, kind: MessageType.Default }, request);
    return seeMessage(platform, message);
  }

  function messages(channel: Channel): readonly SeenMessage[] {
    requireVisibleChannel(platform, user, channel);
    return [...channel.messages.values()]
      .filter((message) => isVisibleTo(message, user.id))
      .map((message) => seeMessage(platform, message));
  }

  const access = (seen: SeenMessage) => ({ ...requireMessage(platform, user, seen), userId: user.id });

  return {
    id: user.id,
    name: user.displayName,
    /** Runs a slash command; `board subscribe` names a subcommand. */
    slash: async (channel: Channel, command: string, options: OptionInputs = {}, wait?: WaitOptions) =>
      answerTo(runSlash(context, user, channel, command, options), wait),
    /** Presses a button, found by label, custom id or emoji. */
    click: async (message: SeenMessage, button: string, wait?: WaitOptions) =>
      answerTo(pressButton(context, user, message, button), wait),
    /** Chooses from a menu, found by placeholder or custom id. `values` may be values or labels. */
    select: async (message: SeenMessage, menu: string, values: readonly string[], wait?: WaitOptions) =>
      answerTo(chooseInMenu(context, user, message, menu, values), wait),
    menu: async (message: SeenMessage, entry: string, wait?: WaitOptions) =>
      answerTo(runMessageMenu(context, user, message, entry), wait),
    /** Submits a form. Keys are labels or custom ids of its fields. */
    async submit(answer: Answer, fields: Readonly<Record<string, FieldInput>>, wait?: WaitOptions) {
      const opened = state.interactions.get(answer.interactionId);
      if (opened === undefined) {
        throw new Error("this form is no longer open");
      }
      return answerTo(sendModal(context, user, opened, fields), wait);
    },
    /** Requests autocomplete for the option `focused`; `typed` has the other options so far. */
    async complete(
      channel: Channel,
      command: string,
      typed: OptionInputs,
      focused: string,
      wait?: WaitOptions,
    ): Promise<readonly Choice[]> {
      const interaction = runSlash(context, user, channel, command, typed, focused);
      return awaitInteraction(platform, interaction, () => interaction.choices, wait?.deadlineMs);
    },
    say: async (channel: Channel, text: string) => post(channel, text, []),
    attach: async (channel: Channel, text: string, files: readonly ActorFile[]) => post(channel, text, files),
    mention: async (channel: Channel, text: string, files: readonly ActorFile[] = []) =>
      post(channel, `<@${state.application.id}> ${text}`.trim(), files),
    /** Replies to a message and pings its author. */
    reply: async (seen: SeenMessage, text: string, files: readonly ActorFile[] = []) =>
      post(requireMessage(platform, user, seen).channel, text, files, seen.id),
    /** Deletes a message: one's own or, with the permission to manage messages, anyone's. */
    delete: async (seen: SeenMessage) => deleteAsMember(platform, access(seen)),
    /** The direct channel with the bot, created at first use. */
    dm: () => openDirectChannel(platform, user.id),
    /** The messages that this member sees, oldest first. */
    messages,
    /** The message's current state; `undefined` if it was deleted. */
    look(seen: SeenMessage) {
      const message = state.channels.get(seen.channelId)?.messages.get(seen.id);
      return message !== undefined && isVisibleTo(message, user.id)
        ? seeMessage(platform, message)
        : undefined;
    },
    /** The first message that passes the test. Waits for it if it does not exist yet. */
    waitForMessage: async (channel: Channel, test: (message: SeenMessage) => boolean, wait?: WaitOptions) =>
      messages(channel).find(test) ?? waitForMessage(context, user, channel, test, wait),
    async download(attachment: SeenAttachment) {
      const response = await fetch(attachment.url);
      if (!response.ok) {
        throw new Error(`the CDN answered ${response.status} for ${attachment.filename}`);
      }
      return new Uint8Array(await response.arrayBuffer());
    },
    dismiss(seen: SeenMessage) {
      const { channel, message } = requireMessage(platform, user, seen);
      if (message.visibleTo !== user.id) {
        throw new Error("only a message that you alone see can be dismissed");
      }
      deleteMessage(platform, channel, message);
    },
    commands: (channel: Channel) => commandsOffered(platform, channel, user.id),
  };
}

function waitForMessage(
  { platform }: ActorContext,
  user: User,
  channel: Channel,
  test: (message: SeenMessage) => boolean,
  wait: WaitOptions | undefined,
): Promise<SeenMessage> {
  const deadlineMs = wait?.deadlineMs ?? DEFAULT_DEADLINE_MS;
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => {
      stopListening();
      reject(
        new Error(`no matching message appeared in ${channel.name} within ${deadlineMs} ms of real time`),
      );
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

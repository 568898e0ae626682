import { ApplicationCommandType, InteractionType } from "discord-api-types/v10";
import type { Channel, Interaction, User } from "../entities.ts";
import { formatMessage } from "../serialise/message.ts";
import type { OptionInputs, SeenMessage } from "./member-types.ts";
import { fillOptions, type FilledOption } from "./options.ts";
import {
  requireCommand,
  requireMessage,
  requireVisibleChannel,
  sendInteraction,
  type ActorContext,
} from "./send-interaction.ts";

/**
 * Runs a slash command; `board subscribe` names a subcommand. With `focused`, it asks the bot for choices for that
 * option instead. Throws if the client would refuse it.
 */
export function runSlash(
  context: ActorContext,
  user: User,
  channel: Channel,
  name: string,
  inputs: OptionInputs,
  focused?: string,
): Interaction {
  const { platform } = context;
  requireVisibleChannel(platform, user, channel);
  const [base = "", ...path] = name.split(" ");
  const command = requireCommand(platform, user, channel, 1, base);
  const filling = {
    platform,
    channel,
    userId: user.id,
    isTyping: focused !== undefined,
    ...(focused === undefined ? {} : { focused }),
  };
  const { options, resolved } = fillOptions(filling, command, path, inputs);
  const data = {
    id: command.id,
    name: command.name,
    type: command.kind,
    options,
    ...(Object.keys(resolved).length === 0 ? {} : { resolved }),
  };
  if (focused === undefined) {
    const what = { kind: InteractionType.ApplicationCommand, command, commandName: name } as const;
    return sendInteraction(context, user, channel, what, data);
  }
  return sendInteraction(
    context,
    user,
    channel,
    { kind: InteractionType.ApplicationCommandAutocomplete, command, focusedType: focusedIn(options)?.type },
    data,
  );
}

/** The option being typed, which may be nested in a subcommand. */
function focusedIn(options: readonly FilledOption[]): FilledOption | undefined {
  return options
    .flatMap((option) => (option.options === undefined ? [option] : [focusedIn(option.options)]))
    .find((option) => option?.focused);
}

/** Uses an entry of a message's menu. The bot receives the whole message, regardless of its intents. */
export function runMessageMenu(
  context: ActorContext,
  user: User,
  seen: SeenMessage,
  entry: string,
): Interaction {
  const { platform } = context;
  const { channel, message } = requireMessage(platform, user, seen);
  const command = requireCommand(platform, user, channel, ApplicationCommandType.Message, entry);
  const data = {
    id: command.id,
    name: command.name,
    type: command.kind,
    target_id: message.id,
    resolved: { messages: { [message.id]: formatMessage(platform, message) } },
  };
  return sendInteraction(context, user, channel, { kind: InteractionType.ApplicationCommand, command }, data);
}

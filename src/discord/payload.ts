// Turns a command into the form in which Discord registers it. Optional fields are always sent, because an edit does
// not change fields that it does not contain.
// https://discord.com/developers/docs/interactions/application-commands#create-global-application-command
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ChannelType as DiscordChannelType,
  Constants,
  PermissionFlagsBits,
} from "discord.js";
import type { AnyDefinition, Command, Runnable } from "./registry.ts";
import type { ChannelType, Option, Options } from "./define/options.ts";
import type { Services } from "./define/context.ts";

export interface CommandBody {
  readonly type: ApplicationCommandType;
  readonly name: string;
  readonly description?: string;
  readonly options?: readonly OptionBody[];
  readonly default_member_permissions: string | null;
  readonly contexts: readonly number[];
  readonly integration_types: readonly number[];
}

interface OptionBody {
  readonly type: ApplicationCommandOptionType;
  readonly name: string;
  readonly description: string;
  readonly [field: string]: unknown;
}

const CONTEXTS = { guild: 0, "bot-dm": 1, "private-channel": 2 } as const;
const CHANNEL_TYPES: Readonly<Record<ChannelType, readonly DiscordChannelType[]>> = {
  text: [DiscordChannelType.GuildText],
  announcement: [DiscordChannelType.GuildAnnouncement],
  thread: Constants.ThreadChannelTypes,
};
const GUILD_INSTALL = 0;
const USER_INSTALL = 1;

/** The command itself and the message menus of its files. `userInstall`: people may install the bot for themselves. */
export function formatCommand(command: Command, userInstall: boolean): readonly CommandBody[] {
  const { name, description, permission, contexts } = command;
  const shared = {
    default_member_permissions: permission === undefined ? null : String(PermissionFlagsBits[permission]),
    contexts: contexts.map((context) => CONTEXTS[context]),
    // A command for servers only is of no use to a person who installs the bot for themselves.
    integration_types:
      userInstall && contexts.includes("private-channel") ? [GUILD_INSTALL, USER_INSTALL] : [GUILD_INSTALL],
  };
  const own = command.runnables.find(({ path }) => path === name);
  const menus = command.runnables.flatMap(({ definition }) =>
    definition.messageMenu
      ? [{ type: ApplicationCommandType.Message, name: definition.messageMenu.name, ...shared }]
      : [],
  );
  return [
    {
      type: ApplicationCommandType.ChatInput,
      name,
      description,
      options: own ? formatOptions(own.definition) : formatSubcommands(command),
      ...shared,
    },
    ...menus,
  ];
}

function formatSubcommands({ runnables, groups }: Command): readonly OptionBody[] {
  // A path is e.g. `board/subscribe`, or `video/account/link` in a group.
  const byGroup = Map.groupBy(runnables, ({ path }) => path.split("/").slice(1, -1)[0]);
  return [...byGroup].flatMap(([group, members]): readonly OptionBody[] => {
    const options = members.map(formatSubcommand);
    const type = ApplicationCommandOptionType.SubcommandGroup;
    return group === undefined
      ? options
      : [{ type, name: group, description: groups.get(group) ?? group, options }];
  });
}

function formatSubcommand({ path, definition }: Runnable): OptionBody {
  return {
    type: ApplicationCommandOptionType.Subcommand,
    name: path.split("/").at(-1) ?? path,
    description: definition.description,
    options: formatOptions(definition),
  };
}

function formatOptions(definition: AnyDefinition): readonly OptionBody[] {
  const options: Options<keyof Services> = definition.options ?? {};
  return Object.entries(options).map(([name, option]) => {
    const { type, description, required = false } = option;
    return { type: OPTION_TYPES[type], name, description, required, ...formatValues(option) };
  });
}

const OPTION_TYPES = {
  string: ApplicationCommandOptionType.String,
  integer: ApplicationCommandOptionType.Integer,
  number: ApplicationCommandOptionType.Number,
  boolean: ApplicationCommandOptionType.Boolean,
  attachment: ApplicationCommandOptionType.Attachment,
  channel: ApplicationCommandOptionType.Channel,
  role: ApplicationCommandOptionType.Role,
} as const;

/** The fields of an option that depend on its type. JSON leaves out those that are `undefined`. */
function formatValues(option: Option<keyof Services>): object {
  switch (option.type) {
    case "string":
      return {
        choices: option.choices?.map(({ name, value }) => ({ name, value })),
        autocomplete: option.autocomplete ? true : undefined,
        min_length: option.minLength,
        max_length: option.maxLength,
      };
    case "integer":
    case "number":
      return { min_value: option.min, max_value: option.max };
    case "attachment":
      return { file_types: option.fileTypes };
    case "channel":
      return { channel_types: option.channelTypes?.flatMap((type) => CHANNEL_TYPES[type]) };
    case "boolean":
    case "role":
      return {};
  }
}

// The records of the local Discord, in memory. serialise/ turns them into Discord's JSON.

import type {
  ApplicationCommandPermissionType,
  ApplicationCommandType,
  ChannelType,
  InteractionResponseType,
  InteractionType,
  MessageType,
  OverwriteType,
} from "discord-api-types/v10";
export interface User {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly bot: boolean;
  /** The language of their client, e.g. `en-GB`. */
  readonly locale: string;
}

export interface Role {
  readonly id: string;
  readonly name: string;
  permissions: bigint;
  readonly position: number;
  /** The bot that this role belongs to; no one else has it. */
  readonly botId?: string | undefined;
}

/** A permission overwrite of a channel. */
export interface Overwrite {
  readonly id: string;
  readonly kind: OverwriteType;
  readonly allow: bigint;
  readonly deny: bigint;
}

export type ChannelKind =
  | ChannelType.GuildText
  | ChannelType.DM
  | ChannelType.GroupDM
  | ChannelType.GuildAnnouncement
  | ChannelType.AnnouncementThread
  | ChannelType.PublicThread
  | ChannelType.GuildForum;

export interface ThreadState {
  readonly ownerId: string;
  /** A thread has no permissions of its own: its parent's apply. */
  readonly parentId: string;
  /** Set by a person. After `archiveAfterMinutes` without messages, a thread is archived anyway. */
  isArchived: boolean;
  isLocked: boolean;
  archiveAfterMinutes: number;
  /** When somebody last wrote in it or reopened it. */
  activeAtMs: number;
  /** When it was last archived or opened. */
  archiveChangedAtMs: number;
}

export interface Channel {
  readonly id: string;
  readonly kind: ChannelKind;
  /** `undefined` in direct messages. */
  readonly guildId: string | undefined;
  readonly name: string;
  readonly position: number;
  overwrites: Overwrite[];
  /** Direct messages: the participants. */
  readonly recipientIds: readonly string[];
  readonly thread: ThreadState | undefined;
  /** Oldest first, including ephemeral ones. */
  readonly messages: Map<string, Message>;
}

export interface GuildMember {
  readonly userId: string;
  roleIds: string[];
  readonly joinedAtMs: number;
  /** Until then, a member who is no administrator is offered no commands. Messages are not refused. */
  timedOutUntilMs?: number | undefined;
}

export interface Guild {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  readonly preferredLocale: string;
  readonly roles: Map<string, Role>;
  readonly members: Map<string, GuildMember>;
  /** Without threads. */
  readonly channels: Map<string, Channel>;
  readonly threads: Map<string, Channel>;
  /** Where Discord announces new members; a guild may have none. */
  systemChannelId: string | undefined;
  /** Whether Discord blocks uploads in the guild: every file is refused with 400001. */
  areUploadsLimited: boolean;
  /** The permissions that administrators set, by command id; the application's id stands for all commands. */
  readonly commandPermissions: Map<string, CommandPermission[]>;
}

/** The guild's own id as a role means everyone; the guild's id minus 1 as a channel means all channels. */
export interface CommandPermission {
  readonly id: string;
  readonly kind: ApplicationCommandPermissionType;
  readonly allow: boolean;
}

/** A component as it was sent, after validate/ has checked it and assigned every `id`. */
export interface Component {
  readonly type: number;
  readonly id: number;
  readonly [field: string]: unknown;
}

export interface Attachment {
  readonly id: string;
  readonly channelId: string;
  readonly filename: string;
  /** The name as sent without its extension, if `filename` lacks some of its characters. */
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly contentType: string | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly spoiler: boolean;
  /** Uploaded with an interaction; Discord deletes it after a while. */
  readonly ephemeral: boolean;
  readonly bytes: Uint8Array;
}

/**
 * The installs under which an application acts: "0" is the guild's id, or "0" in direct messages with the bot; "1" is
 * the user's id. Discord's `authorizing_integration_owners`.
 */
export type InstallOwners = Readonly<Partial<Record<"0" | "1", string>>>;

/** The interaction that a message answers. */
export interface MessageOrigin {
  readonly interactionId: string;
  readonly token: string;
  readonly interactionKind: InteractionKind;
  readonly userId: string;
  readonly owners: InstallOwners;
  /** With its subcommand, e.g. `board subscribe`. */
  readonly commandName: string | undefined;
  /** 1 a slash command, 2 a user menu, 3 a message menu. */
  readonly commandKind: number | undefined;
}

export interface Message {
  readonly id: string;
  readonly channelId: string;
  readonly guildId: string | undefined;
  readonly authorId: string;
  readonly kind:
    | MessageType.Default
    | MessageType.Reply
    | MessageType.ChatInputCommand
    | MessageType.ContextMenuCommand;
  content: string;
  flags: number;
  components: readonly Component[];
  attachments: readonly Attachment[];
  mentionedUserIds: readonly string[];
  mentionedRoleIds: readonly string[];
  mentionsEveryone: boolean;
  readonly createdAtMs: number;
  editedAtMs: number | undefined;
  readonly nonce: string | undefined;
  readonly repliesTo: string | undefined;
  readonly origin: MessageOrigin | undefined;
  /** The only user who sees it; `undefined` if everyone does. */
  readonly visibleTo: string | undefined;
}

export type CommandKind =
  | ApplicationCommandType.ChatInput
  | ApplicationCommandType.User
  | ApplicationCommandType.Message;

export interface Command {
  readonly id: string;
  readonly kind: CommandKind;
  readonly name: string;
  readonly description: string;
  readonly options: readonly CommandOption[];
  /** Bit set as a decimal string; `undefined`: everyone may use it. */
  readonly defaultMemberPermissions: string | undefined;
  readonly integrationTypes: readonly number[];
  readonly contexts: readonly number[] | undefined;
  readonly nsfw: boolean;
  readonly version: string;
}

export interface CommandOption {
  readonly type: number;
  readonly name: string;
  readonly description: string;
  readonly required?: boolean | undefined;
  readonly autocomplete?: boolean | undefined;
  readonly choices?: readonly { readonly name: string; readonly value: string | number }[] | undefined;
  readonly options?: readonly CommandOption[] | undefined;
  readonly [field: string]: unknown;
}

export type InteractionKind = Exclude<InteractionType, InteractionType.Ping>;

export interface Choice {
  readonly name: string;
  readonly value: string | number;
}

export interface OpenModal {
  readonly customId: string;
  readonly title: string;
  readonly components: readonly Component[];
}

/** The part of an interaction that the actor determines. */
export interface NewInteraction {
  readonly kind: InteractionKind;
  readonly userId: string;
  readonly channelId: string;
  readonly guildId: string | undefined;
  readonly command: Command | undefined;
  /** As it was typed, with its subcommand, e.g. `board subscribe`. */
  readonly commandName: string | undefined;
  readonly owners: InstallOwners;
  /** True if the application is not in the guild or conversation itself; it may then send at most five follow-ups. */
  readonly isGuest: boolean;
  /** True if the user's roles lack USE_EXTERNAL_APPS; a guest's answers are then ephemeral. */
  readonly isEphemeralOnly: boolean;
  /** For components, and the modals that they open: the message that they are on. */
  readonly messageId: string | undefined;
  /** Autocomplete: the type of the focused option. */
  readonly focusedType: number | undefined;
}

/** An interaction and its answers so far. */
export interface Interaction extends NewInteraction {
  readonly id: string;
  readonly token: string;
  readonly createdAtMs: number;
  /** `undefined` until the bot has answered. */
  callbackKind?: InteractionResponseType;
  acknowledgedAtMs?: number;
  /** The message that `@original` names. */
  originalMessageId?: string;
  /** Messages sent with its token, oldest first. */
  readonly messageIds: string[];
  /** Follow-ups so far, without those that filled a "thinking…". */
  followUps: number;
  /** True from a defer until the first edit or follow-up. */
  isLoading: boolean;
  isOriginalEdited: boolean;
  modal?: OpenModal;
  choices?: readonly Choice[];
}

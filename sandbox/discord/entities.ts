// What the local Discord holds. Plain records, not yet in the form of the wire: serialise/ makes that.

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
  /** The bot that came with it, and alone has it. */
  readonly botId?: string | undefined;
}

/** A channel's exception to what roles allow. `kind` 0 is a role, 1 a member. */
export interface Overwrite {
  readonly id: string;
  readonly kind: 0 | 1;
  readonly allow: bigint;
  readonly deny: bigint;
}

/**
 * 0 text, 1 direct message, 3 group of people, 5 announcement, 15 forum; threads: 10 below an announcement
 * channel, 11 public, 12 private.
 */
export type ChannelKind = 0 | 1 | 3 | 5 | 10 | 11 | 12 | 15;

/** What a thread is beyond a channel. */
export interface ThreadState {
  readonly ownerId: string;
  /** Without its parent a thread has no permissions: theirs are the parent's. */
  readonly parentId: string;
  name: string;
  /** As somebody set it; after `archiveAfterMinutes` of silence a thread is archived without it. */
  isArchived: boolean;
  isLocked: boolean;
  archiveAfterMinutes: number;
  /** When it was last written in or opened again. */
  activeAtMs: number;
  /** When `isArchived` last changed. */
  archiveChangedAtMs: number;
  readonly memberIds: Set<string>;
}

export interface Channel {
  readonly id: string;
  readonly kind: ChannelKind;
  /** `undefined` in direct messages. */
  readonly guildId: string | undefined;
  readonly name: string;
  readonly position: number;
  overwrites: Overwrite[];
  /** Direct messages: who takes part. */
  readonly recipientIds: readonly string[];
  /** `undefined` for all but threads. */
  readonly thread: ThreadState | undefined;
  /** Oldest first; ephemeral ones among them. */
  readonly messages: Map<string, Message>;
}

export interface GuildMember {
  readonly userId: string;
  roleIds: string[];
  readonly joinedAtMs: number;
  /** Told only: what the member does here is not refused. */
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
  /** Where Discord itself says who has joined; a guild may have none. */
  systemChannelId: string | undefined;
  /** Discord may limit uploads in a guild: every file is refused with 400001. */
  areUploadsLimited: boolean;
  /** By command id: who may and may not, as a guild's administrators decided. */
  readonly commandPermissions: Map<string, CommandPermission[]>;
}

/** `kind` 1 role, 2 user, 3 channel. The guild's own id as a role means everyone; the guild's id minus 1 as a channel, all channels. */
export interface CommandPermission {
  readonly id: string;
  readonly kind: 1 | 2 | 3;
  readonly allow: boolean;
}

/** A component as it was sent, checked by validate/ and with every `id` numbered. */
export interface Component {
  readonly type: number;
  readonly id: number;
  readonly [field: string]: unknown;
}

export interface Attachment {
  readonly id: string;
  readonly channelId: string;
  readonly filename: string;
  readonly description: string | undefined;
  readonly contentType: string | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly spoiler: boolean;
  /** Uploaded with an interaction: removed by Discord after a while. */
  readonly ephemeral: boolean;
  /** A forward shows it, so it outlives its message. */
  isForwarded?: boolean;
  readonly bytes: Uint8Array;
}

/**
 * By what installation an application acts: "0" the guild's id, or "0" in direct messages with the bot; "1" the
 * user's id. Discord's `authorizing_integration_owners`.
 */
export type InstallOwners = Readonly<Partial<Record<"0" | "1", string>>>;

/** Which interaction a message answers. */
export interface MessageOrigin {
  readonly interactionId: string;
  readonly token: string;
  readonly interactionKind: InteractionKind;
  readonly userId: string;
  readonly owners: InstallOwners;
  readonly commandName: string | undefined;
  /** 1 a slash command, 2 and 3 an entry in the menu of a user and of a message. */
  readonly commandKind: number | undefined;
}

export interface Message {
  readonly id: string;
  readonly channelId: string;
  readonly guildId: string | undefined;
  readonly authorId: string;
  /** 0 plain, 19 reply, 20 slash answer, 23 menu answer. */
  readonly kind: 0 | 19 | 20 | 23;
  content: string;
  flags: number;
  embeds: readonly unknown[];
  components: readonly Component[];
  attachments: readonly Attachment[];
  /** Whom it pings. */
  mentionedUserIds: readonly string[];
  mentionedRoleIds: readonly string[];
  mentionsEveryone: boolean;
  readonly createdAtMs: number;
  editedAtMs: number | undefined;
  readonly nonce: string | undefined;
  readonly repliesTo: string | undefined;
  /** The message that was forwarded, as it was then. */
  readonly forwarded: Message | undefined;
  readonly origin: MessageOrigin | undefined;
  /** The only person who sees it; `undefined` for all. */
  readonly visibleTo: string | undefined;
}

/** 1 slash, 2 user menu, 3 message menu. */
export type CommandKind = 1 | 2 | 3;

export interface Command {
  readonly id: string;
  /** `undefined` for a global command. */
  readonly guildId: string | undefined;
  readonly kind: CommandKind;
  readonly name: string;
  readonly description: string;
  readonly options: readonly CommandOption[];
  /** Bit set as a decimal string; `undefined`: everyone. */
  readonly defaultMemberPermissions: string | undefined;
  readonly integrationTypes: readonly number[];
  readonly contexts: readonly number[] | undefined;
  readonly nsfw: boolean;
  readonly nameLocalisations: Readonly<Record<string, string>> | undefined;
  readonly descriptionLocalisations: Readonly<Record<string, string>> | undefined;
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

/** 2 command, 3 component, 4 autocomplete, 5 modal. */
type InteractionKind = 2 | 3 | 4 | 5;

export interface Choice {
  readonly name: string;
  readonly value: string | number;
}

/** A form as the bot sent it. */
export interface OpenModal {
  readonly customId: string;
  readonly title: string;
  readonly components: readonly Component[];
}

/** What the bot has made of an interaction so far. */
export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly kind: InteractionKind;
  readonly userId: string;
  readonly channelId: string;
  readonly guildId: string | undefined;
  readonly command: Command | undefined;
  readonly owners: InstallOwners;
  /** True where the application is not in the guild or conversation: it may send five follow-ups. */
  readonly isGuest: boolean;
  /** True where the user's roles lack USE_EXTERNAL_APPS: what a guest says there is ephemeral. */
  readonly isHushed: boolean;
  /** Components: the message they stand on. */
  readonly messageId: string | undefined;
  readonly createdAtMs: number;
  /** 4 message, 5 thinking, 6 silent, 7 update, 8 choices, 9 modal; `undefined` until answered. */
  callbackKind: number | undefined;
  acknowledgedAtMs: number | undefined;
  /** The message that `@original` names. */
  originalMessageId: string | undefined;
  /** Messages sent with its token, oldest first. */
  readonly messageIds: string[];
  /** Follow-ups so far, those that filled a "thinking…" not counted. */
  followUps: number;
  /** True from a defer to the first edit or follow-up. */
  isLoading: boolean;
  isOriginalEdited: boolean;
  modal: OpenModal | undefined;
  /** Autocompletion: the type of the option that is asked for. */
  readonly focusedType: number | undefined;
  choices: readonly Choice[] | undefined;
}

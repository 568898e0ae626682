// Interfaces that features use and other folders implement. src/discord implements most of them; app.ts passes them on.
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Http } from "./http.ts";
import type { Log } from "./log.ts";
import type { Meter } from "./meter.ts";
import type { Reply } from "./reply.ts";

export interface GuildSummary {
  readonly id: string;
  readonly name: string;
  /** The approximate number of people and bots in it; absent if Discord does not say. */
  readonly memberCount?: number | undefined;
}

export interface Connection {
  /** Round trip of the last heartbeat in milliseconds, averaged over shards; `undefined` before the first heartbeat. */
  latencyMs(): number | undefined;
  /** The number of servers on this process's shards. */
  guildCount(): number;
  /** The servers that the bot is in, including those on other processes' shards; the list may be a few minutes old. */
  guilds(): Promise<readonly GuildSummary[]>;
  /** The name of a channel on this process's shards; `undefined` if the bot does not see the channel. */
  channelName(channelId: string): string | undefined;
  /** From now on, reports deletions on this process's shards, but not all during a disconnection of many minutes. */
  onDeleted(listener: (deletion: Deletion) => void): void;
}

/** Messages of a server's channel that anybody deleted, or a whole channel. */
export interface Deletion {
  readonly guildId: string;
  readonly channelId: string;
  readonly messageIds: readonly string[] | "all";
}

/** Says who may use which command. Discord does not check this for components in a DM. */
export interface CommandRights {
  /** `undefined` if they may not use it now. Throws a MessengerError or UserError if Discord does not answer. */
  findAllowedMember(
    guildId: string,
    userId: string,
    command: string,
  ): Promise<{ readonly roleIds: readonly string[] } | undefined>;
}

/** Actions of the application's owner on servers, including those on other processes' shards. */
export interface GuildAccess {
  /** Whether ALLOWED_GUILDS contains the server and the owner has not blocked it. */
  isAllowed(guildId: string): boolean;
  /** Leaves a server; does nothing if the bot is not in it. Throws MessengerError if Discord does not answer. */
  leave(guildId: string): Promise<void>;
  /** Tells a server that it is not allowed, and leaves it. Failures are logged. */
  leaveWithNotice(guildId: string): Promise<void>;
}

/** The servers that the application's owner has blocked. src/operations implements it. */
export interface BlockedGuilds {
  /** Whether a server was blocked at the last `load`. */
  has(guildId: string): boolean;
  /** Loads the list, which another process may have changed. Throws as the database does, and keeps the old list. */
  load(): Promise<void>;
}

/** The connection reports here which servers the bot is in. src/operations implements it. */
export interface GuildTracker {
  /** The bot was removed from a server, or the server was deleted. */
  left(guildId: string): Promise<void>;
  used(guildId: string): void;
  present(guildIds: readonly string[]): Promise<void>;
  /**
   * The bot is in exactly these servers of a shard: it has left the known ones that are not among them. If those are
   * suspiciously many, `readMembership` is called first, whose result says whether the bot is still in a server.
   */
  presentOnly(
    guildIds: readonly string[],
    isOfShard: (guildId: string) => boolean,
    readMembership: () => Promise<(guildId: string) => boolean>,
  ): Promise<void>;
  /**
   * Erases the data of servers whose waiting time is over, one after the other; if one fails, the others are still
   * erased. Before each, `isGone` is called again: whether the server is on one of this process's shards and the bot is
   * not in it. Throws the signal's reason if the signal aborts while a service is being waited for.
   */
  eraseDue(isGone: (guildId: string) => boolean, signal: AbortSignal): Promise<void>;
}

/** Called when the bot leaves a server or returns, perhaps repeatedly. src/videos implements it. */
export interface GuildPublications {
  left(guildId: string): Promise<void>;
  /** The bot is in these servers, whether or not it had left them. */
  returned(guildIds: readonly string[]): Promise<void>;
  /**
   * Called before a server is erased. Returns whether none of its videos can still be published afterwards. It asks the
   * video service, and calls `isStillDue` before each video: whether the server is still to be erased.
   */
  erasing(guildId: string, isStillDue: () => Promise<boolean>): Promise<boolean>;
}

export interface PostedMessage {
  readonly channelId: string;
  readonly messageId: string;
}

export type MessengerProblem =
  /** The channel was deleted, or the bot is no longer in its server. */
  | "channel-gone"
  | "message-gone"
  | "not-allowed"
  /** The person does not accept DMs from the bot. */
  | "dm-closed"
  /** Discord asks the bot to wait longer than is reasonable; `retryAfterMs` says how long. */
  | "slow-down"
  /** Discord cannot be reached, or failed; nothing was sent. */
  | "unavailable"
  /** The answer was lost: the message may or may not have been sent. */
  | "outcome-unknown"
  /** Discord rejected the message itself, which is a bug of ours. */
  | "refused";

/** The error that a messenger throws. `message` is for logs. */
export class MessengerError extends Error {
  override readonly name = "MessengerError";
  readonly problem: MessengerProblem;
  readonly retryAfterMs: number | undefined;

  constructor(
    problem: MessengerProblem,
    message: string,
    details: { readonly retryAfterMs?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.problem = problem;
    this.retryAfterMs = details.retryAfterMs;
  }
}

export interface PostOptions {
  /** At most 25 characters. For some minutes, Discord returns the first message with it instead of a second one. */
  readonly nonce: string;
  /** Default true: the message makes no sound. */
  readonly silent?: boolean;
  /** The ids of the only people whom the message may ping. Default nobody. */
  readonly ping?: readonly string[];
  /** The id of the only role that it may ping. Default none. */
  readonly pingRole?: string;
  /** In the same channel. Its author is not pinged. If it is gone or unreadable, the new message is no reply. */
  readonly replyTo?: string;
}

/** One of the bot's own messages, as read from a channel. */
export interface OwnMessage extends PostedMessage {
  /** Milliseconds since the epoch, taken from its id. */
  readonly sentAtMs: number;
  readonly componentIds: readonly string[];
}

/** A file in a message. Its link is signed and expires. */
export interface MessageFile {
  readonly name: string;
  /** What its sender named it, if Discord had to change the name, e.g. because of an accent. With or without extension. */
  readonly title?: string | undefined;
  readonly url: string;
  /** 0 if Discord does not say. */
  readonly sizeBytes: number;
  /** Guessed by Discord from the name. */
  readonly contentType: string | undefined;
  /** The sender's description of what it shows. */
  readonly description?: string | undefined;
}

export interface PersonMessage {
  readonly content: string;
  readonly attachments: readonly MessageFile[];
}

export interface ChannelCheck {
  readonly guildId: string;
  readonly kind: "text" | "announcement" | "thread" | "other";
  readonly name: string;
  /** The permissions that the bot lacks for a board there, by Discord's own names, e.g. `Send Messages`. */
  readonly missing: readonly string[];
  /** Whether it is a thread that only a moderator can reopen. */
  readonly locked: boolean;
  /** When the bot's timeout ends, or ended within the last minute; NaN if that is unknown. Absent if it is not timed out. */
  readonly timedOutUntilMs?: number;
  /** Whether the given person cannot see the channel or write there; absent if nobody was given. */
  readonly isClosedToPerson?: boolean;
}

/** For messages that answer no interaction. Keeps within Discord's limits. All but `check` throw MessengerError. */
export interface Messenger {
  post(channelId: string, reply: Reply, options: PostOptions): Promise<PostedMessage>;
  /**
   * Edits a message. Edits of old messages wait for their turn, because Discord limits them more. `isWanted` is called
   * right before the request is sent, and before each retry; if it returns false, `edit` throws `unavailable`.
   */
  edit(message: PostedMessage, reply: Reply, isWanted?: () => boolean): Promise<void>;
  /** Deletes a message; succeeds if it was already deleted. */
  delete(message: PostedMessage): Promise<void>;
  /** Returns the DM channel with a person; opens it if there is none. */
  conversation(userId: string): Promise<string>;
  /** Sends a DM; opens the channel if there is none. */
  dm(userId: string, reply: Reply, options: PostOptions): Promise<PostedMessage>;
  /** Publishes a message of an announcement channel. Throws `slow-down` after ten in an hour. */
  publish(message: PostedMessage): Promise<void>;
  /** Returns up to 100 of the bot's messages since then, newest first; none if it may not read the channel. */
  ownMessages(channelId: string, sinceMs: number): Promise<readonly OwnMessage[]>;
  /** What this person wrote and attached, with fresh links. `undefined` if it was deleted, or is somebody else's. */
  personMessage(message: PostedMessage, authorId: string): Promise<PersonMessage | undefined>;
  /** Returns a fresh link to an attachment if `url` has expired; `undefined` if Discord no longer has the file. */
  freshLink(url: string): Promise<string | undefined>;
  /** Returns the channel where a server gets notices: its system channel; `undefined` if it has none. */
  noticeChannel(guildId: string): Promise<string | undefined>;
  /** Returns a server's name; `undefined` if the bot is not in it. */
  guildName(guildId: string): Promise<string | undefined>;
  /** Returns what the bot can do in a channel; `undefined` if the channel was deleted or the bot does not see it. */
  check(channelId: string, personId?: string): Promise<ChannelCheck | undefined>;
  /** Whether a person may manage a server now and is not timed out there, for cases that Discord does not check itself. */
  mayManage(guildId: string, userId: string): Promise<boolean>;
}

export interface Platform {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  readonly http: Http;
  readonly connection: Connection;
  readonly messenger: Messenger;
  readonly rights: CommandRights;
  readonly guildAccess: GuildAccess;
  /** Returns the application's owner, or the members of its team. Throws discord.js's error if Discord does not answer. */
  readonly ownerIds: () => Promise<ReadonlySet<string>>;
}

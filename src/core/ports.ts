// What features need of the outside. src/discord implements these; app.ts hands them over.
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Http } from "./http.ts";
import type { Log } from "./log.ts";
import type { Meter } from "./meter.ts";
import type { Reply } from "./reply.ts";

export interface GuildSummary {
  readonly id: string;
  readonly name: string;
  /** How many people and bots are in it, about; absent where Discord does not say. */
  readonly memberCount?: number | undefined;
}

export interface Connection {
  /** Milliseconds of the last heartbeat's round trip, averaged over shards; `undefined` before the first. */
  latencyMs(): number | undefined;
  /** How many servers this process looks after. */
  guildCount(): number;
  /** The servers that the bot is in, also those that other processes look after, as of a few minutes ago. */
  guilds(): Promise<readonly GuildSummary[]>;
  /** A channel's name, of servers that this process looks after; `undefined` for one that the bot does not see. */
  channelName(channelId: string): string | undefined;
  /**
   * From now on reports deletions in servers that this process looks after. Those that happened while it was away are
   * reported only if that took no more than a few minutes.
   */
  onDeleted(listener: (deletion: Deletion) => void): void;
}

/** Messages of a server's channel that were deleted, by whomever, or the channel with all that stood in it. */
export interface Deletion {
  readonly guildId: string;
  readonly channelId: string;
  readonly messageIds: readonly string[] | "all";
}

/** Who may use which command, for what is pressed in a conversation, where Discord itself says nothing of it. */
export interface CommandRights {
  /**
   * A member of a server, if they may use a command there now: by the permission that it asks for, and by the server's own
   * rules for it. `undefined` for everyone else. Throws MessengerError or UserError where Discord does not answer.
   */
  findPermittedMember(
    guildId: string,
    userId: string,
    command: string,
  ): Promise<{ readonly roleIds: readonly string[] } | undefined>;
}

/** What the application's owner can do about servers, also those that other processes look after. */
export interface GuildAccess {
  /** Whether ALLOWED_GUILDS has it and the owner has not blocked it. */
  isAllowed(guildId: string): boolean;
  /** Leaves a server; one that the bot is not in counts as left. Throws MessengerError where Discord does not answer. */
  leave(guildId: string): Promise<void>;
  /** Tells a server that it is not allowed, and leaves it; a failure is logged. */
  leaveWithNotice(guildId: string): Promise<void>;
}

/** The servers that the application's owner has blocked. src/operations implements it. */
export interface BlockedGuilds {
  /** As of the last `load`. */
  has(guildId: string): boolean;
  /** Another process may have blocked more. Throws as the database does, and leaves what is known. */
  load(): Promise<void>;
}

/** Told by the connection which servers the bot is in. src/operations implements it. */
export interface GuildWatch {
  /** The bot was removed from a server, or the server is gone for good. */
  left(guildId: string): Promise<void>;
  /** Somebody used the bot there now. */
  used(guildId: string): void;
  /** The bot is in these servers. */
  present(guildIds: readonly string[]): Promise<void>;
  /**
   * The bot is in these servers of a shard and in no other: it left those that are known and not among them. Where that
   * would be many at once, `readMembership` is asked first, which says whether the bot is in a server after all.
   */
  presentOnly(
    guildIds: readonly string[],
    isOfShard: (guildId: string) => boolean,
    readMembership: () => Promise<(guildId: string) => boolean>,
  ): Promise<void>;
  /**
   * Erases what has waited long enough, one server after another; one that fails leaves the others. `isGone` is asked again before each: whether it is of a
   * shard that this process runs, and the bot not in it. Throws the signal's reason where a service is being waited for.
   */
  eraseDue(isGone: (guildId: string) => boolean, signal: AbortSignal): Promise<void>;
}

/** What is done for a server's publications as it comes and goes; each may be called again. src/videos implements it. */
export interface GuildPublications {
  left(guildId: string): Promise<void>;
  /** The bot is in these servers, whether or not it had left them. */
  returned(guildIds: readonly string[]): Promise<void>;
  /**
   * Called before it is erased; says whether none of its videos can still be published after that. Asks the video service,
   * and before each video whether the server is still to be erased.
   */
  erasing(guildId: string, isStillDue: () => Promise<boolean>): Promise<boolean>;
}

export interface PostedMessage {
  readonly channelId: string;
  readonly messageId: string;
}

/** Why Discord did not do what the messenger asked. */
export type MessengerProblem =
  /** The channel is gone, or the bot is no longer where it is. */
  | "channel-gone"
  | "message-gone"
  | "not-allowed"
  /** The person takes no direct messages from the bot. */
  | "dm-closed"
  /** Discord asks to wait, for longer than is worth waiting; `retryAfterMs` says for how long. */
  | "slow-down"
  /** Discord cannot be reached, or failed; nothing was sent. */
  | "unavailable"
  /** The answer was lost: it may or may not have been sent. */
  | "outcome-unknown"
  /** Discord refused the message itself: a bug of ours. */
  | "refused";

/** What a messenger throws. `message` is for logs. */
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
  /** At most 25 characters: Discord gives the first message of a nonce back rather than make a second, for minutes. */
  readonly nonce: string;
  /** Default true: nobody's device makes a sound. */
  readonly silent?: boolean;
  /** The only people whom the message may ping, by id. Default nobody. */
  readonly ping?: readonly string[];
  /** The only role that it may ping, by id. Default none. */
  readonly pingRole?: string;
  /**
   * The message of the channel that this one replies to, by id. Its author is not pinged; where it is gone, or the bot
   * may not read it, this one stands on its own.
   */
  readonly replyTo?: string;
}

/** A message of the bot's own, as read back from a channel. */
export interface OwnMessage extends PostedMessage {
  /** From its id, milliseconds since the epoch. */
  readonly sentAtMs: number;
  /** The ids of its components, in order. */
  readonly componentIds: readonly string[];
}

/** A file as it stands in a message. The link is signed and dies. */
export interface MessageFile {
  readonly name: string;
  readonly url: string;
  /** 0 where Discord does not say. */
  readonly sizeBytes: number;
  /** Guessed by Discord from the name. */
  readonly contentType: string | undefined;
  /** What it shows, in the words of its sender. */
  readonly description?: string | undefined;
}

/** A message that a person sent. */
export interface PersonMessage {
  readonly content: string;
  readonly attachments: readonly MessageFile[];
}

export interface ChannelCheck {
  readonly guildId: string;
  readonly kind: "text" | "announcement" | "thread" | "other";
  readonly name: string;
  /** What the bot lacks to keep a board there, in Discord's own words for its permissions, e.g. `Send Messages`. */
  readonly missing: readonly string[];
  /** A thread that nobody but a moderator can open again. */
  readonly locked: boolean;
  /** Whether the person who was named does not see the channel or may not write there; `undefined` where nobody was. */
  readonly isClosedToPerson?: boolean;
}

/**
 * Writes messages that belong to no interaction, paced so that Discord's limits are never met. Everything but
 * `check` throws MessengerError. src/discord implements it.
 */
export interface Messenger {
  post(channelId: string, reply: Reply, options: PostOptions): Promise<PostedMessage>;
  /**
   * Old messages are edited slowly, as Discord wants it; waits its turn. `isWanted` is asked right before it is sent, or
   * repeated; throws `unavailable` where it no longer is.
   */
  edit(message: PostedMessage, reply: Reply, isWanted?: () => boolean): Promise<void>;
  /** A message that is gone already counts as deleted. */
  delete(message: PostedMessage): Promise<void>;
  /** The channel of direct messages with a person; opens it where there is none. */
  conversation(userId: string): Promise<string>;
  /** A direct message; opens the conversation where there is none. */
  dm(userId: string, reply: Reply, options: PostOptions): Promise<PostedMessage>;
  /** Publishes a message of an announcement channel. `slow-down` where the channel has had its ten of this hour. */
  publish(message: PostedMessage): Promise<void>;
  /** The first 100 of the bot's own messages in a channel since then, newest first; empty where it may not read. */
  ownMessages(channelId: string, sinceMs: number): Promise<readonly OwnMessage[]>;
  /**
   * What `authorId` wrote and attached in a message that the bot is shown, e.g. one in a conversation, under fresh links.
   * `undefined` for a message of anybody else's, and where it is gone.
   */
  personMessage(message: PostedMessage, authorId: string): Promise<PersonMessage | undefined>;
  /** Another link to what somebody attached, where the time of `url` is over; `undefined` where Discord no longer has it. */
  freshLink(url: string): Promise<string | undefined>;
  /** The channel where a server gets notices: its system channel, where it has one. */
  noticeChannel(guildId: string): Promise<string | undefined>;
  /** What a server is called; `undefined` for one that the bot is not in. */
  guildName(guildId: string): Promise<string | undefined>;
  /** `undefined` for a channel that is gone or that the bot does not see. */
  check(channelId: string, personId?: string): Promise<ChannelCheck | undefined>;
  /** Whether a person may manage a server now and is not timed out there: for what Discord does not check itself. */
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
  /** The application's owner, or its team. Throws what discord.js does where Discord does not answer. */
  readonly ownerIds: () => Promise<ReadonlySet<string>>;
}

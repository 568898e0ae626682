import type { Attachment, Channel, Command, Guild, Interaction, Message, User } from "./entities.ts";
import { refusal } from "./errors.ts";

/** The bot's application. Its id is also the bot user's id, as for every application created today. */
export interface Application {
  readonly id: string;
  readonly name: string;
  /** Discord resets it if a bot identifies too often. */
  token: string;
  /** Bits of the privileged intents it may ask for. */
  readonly privilegedIntents: number;
}

/** One use of an allowance, by the sandbox's clock and by the machine's. */
export interface Spent {
  readonly atMs: number;
  readonly monotonicMs: number;
}

export interface State {
  readonly application: Application;
  readonly users: Map<string, User>;
  readonly guilds: Map<string, Guild>;
  /** All channels, including direct ones. */
  readonly channels: Map<string, Channel>;
  /** Direct channels with the bot, by the other user's id. */
  readonly directChannels: Map<string, Channel>;
  readonly commands: Map<string, Command>;
  readonly interactions: Map<string, Interaction>;
  readonly interactionsByToken: Map<string, Interaction>;
  readonly attachments: Map<string, Attachment>;
  /** First messages by author and nonce, for `enforce_nonce`. */
  readonly nonces: Map<string, Message>;
  /** Users who installed the application for themselves. */
  readonly userInstalls: Set<string>;
  /** Users who accept no direct messages from the bot: 50007. */
  readonly closedDirects: Set<string>;
  /** Used allowances over minutes or days, by name; see rules/allowances.ts. */
  readonly spent: Map<string, Spent[]>;
  /** When the bot identified, on the sandbox's clock. */
  readonly identifiedAtMs: number[];
}

export function createState(application: Application): State {
  return {
    application,
    users: new Map(),
    guilds: new Map(),
    channels: new Map(),
    directChannels: new Map(),
    commands: new Map(),
    interactions: new Map(),
    interactionsByToken: new Map(),
    attachments: new Map(),
    nonces: new Map(),
    userInstalls: new Set(),
    closedDirects: new Set(),
    spent: new Map(),
    identifiedAtMs: [],
  };
}

function findOrRefuse<T>(
  known: ReadonlyMap<string, T>,
  id: string,
  otherwise: Parameters<typeof refusal>[0],
): T {
  const one = known.get(id);
  if (one === undefined) {
    throw refusal(otherwise);
  }
  return one;
}

/** Throws 10003. */
export const channelOf = ({ channels }: State, id: string): Channel =>
  findOrRefuse(channels, id, "unknownChannel");

/** Throws 10004. */
export const guildOf = ({ guilds }: State, id: string): Guild => findOrRefuse(guilds, id, "unknownGuild");

/** The guild of a channel, message or interaction; `undefined` in direct messages. */
export const guildAround = (
  { guilds }: State,
  { guildId }: { readonly guildId: string | undefined },
): Guild | undefined => guilds.get(guildId ?? "");

/** Throws 10013. */
export const userOf = ({ users }: State, id: string): User => findOrRefuse(users, id, "unknownUser");

/** Throws 10008. */
export const messageOf = ({ messages }: Channel, id: string): Message =>
  findOrRefuse(messages, id, "unknownMessage");

/** By display name. Throws for an unknown name. */
export function userNamed({ users }: State, name: string): User {
  const user = [...users.values()].find(({ displayName }) => displayName === name);
  if (user === undefined) {
    throw new Error(`nobody is called ${name}`);
  }
  return user;
}

export function requireApplication(state: State, id: string): void {
  if (id !== state.application.id) {
    throw refusal("unknownApplication");
  }
}

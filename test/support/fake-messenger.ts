// A fake messenger with channels in memory, for tests of code that sends. It stores messages and nonces as Discord
// does, and each call can be made to fail.
import { formatComponentId } from "../../src/core/component-id.ts";
import type { Clock } from "../../src/core/clock.ts";
import type { Reply } from "../../src/core/reply.ts";
import {
  MessengerError,
  type Messenger,
  type MessengerProblem,
  type PostOptions,
} from "../../src/core/ports.ts";
import { buttonsOf } from "./reply-parts.ts";

/** A message in a channel, deleted ones included. */
export interface FakeMessage {
  readonly channelId: string;
  readonly messageId: string;
  readonly nonce: string;
  readonly silent: boolean;
  /** The people whom it notifies. */
  readonly ping: readonly string[];
  readonly sentAtMs: number;
  reply: Reply;
  edits: number;
  isDeleted: boolean;
  isPublished: boolean;
}

/** A fault of a call. */
export type Fault =
  /** Nothing happens, and the call fails with this problem. */
  | MessengerProblem
  /** It happens, but the answer is lost. */
  | "answer-lost"
  /** The answer is lost, and it happens only half a minute later. */
  | "happens-late"
  /** The calling process dies before it happens, or after. */
  | "dies-before"
  | "dies-after";

/** Faults after which the same call may succeed. */
export const TRANSIENT_FAULTS: readonly (Fault | undefined)[] = [
  undefined,
  "unavailable",
  "slow-down",
  "outcome-unknown",
  "answer-lost",
  "dies-before",
  "dies-after",
];

/** The methods that call Discord and can fail. */
export type Verb = Exclude<
  keyof Messenger,
  "check" | "conversation" | "files" | "freshLink" | "guildName" | "mayManage"
>;

/** A fake Discord, as far as a messenger shows it. */
export interface FakeDiscord {
  /** All messages ever sent, oldest first. */
  readonly messages: readonly FakeMessage[];
  /** Every call, e.g. `post c1`. */
  readonly calls: readonly string[];
  /** Channels that were deleted. */
  readonly gone: Set<string>;
  /** Servers that the bot has left. */
  readonly left: Set<string>;
  /** Channels that exist but cannot be read. */
  readonly unreadable: Set<string>;
  /** When the bot's timeout ends, in every server. */
  timedOutUntilMs: number | undefined;
  /** People who accept no direct messages. */
  readonly closed: Set<string>;
  /** The links that replace expired ones. */
  readonly freshLinks: Map<string, string>;
  /** The system channel of every server. */
  noticeChannel: string | undefined;
  /** Returns the fault of a call; `undefined` if it succeeds. */
  fault: (verb: Verb, channelId: string) => Fault | undefined;
  /** Makes the next call of this verb fail, and no other. */
  failOnce(verb: Verb, fault: Fault): void;
  /**
   * Creates the messenger of one process. `die` is called if a fault kills the process; then the call never settles.
   */
  messenger: (die?: () => void) => Messenger;
  /** Replaces methods of the messengers that are created from now on. `real`: the messenger without the replacement. */
  replace(make: (real: Messenger) => Partial<Messenger>): void;
}

/** How long a nonce is remembered; Discord documents "a few minutes". */
const NONCE_MS = 5 * 60_000;
const LATE_MS = 30_000;

/** Creates a Discord without messages. */
export function createFakeDiscord(clock: Clock, nonceMs = NONCE_MS): FakeDiscord {
  const messages: FakeMessage[] = [];
  const calls: string[] = [];

  function create(
    channelId: string,
    reply: Reply,
    { nonce, silent = true, ping = [] }: PostOptions,
  ): FakeMessage {
    const known = messages.find(
      (each) => each.channelId === channelId && each.nonce === nonce && clock.now() - each.sentAtMs < nonceMs,
    );
    if (known !== undefined) {
      return known;
    }
    const message: FakeMessage = {
      channelId,
      messageId: String(messages.length + 1),
      nonce,
      silent,
      ping,
      sentAtMs: clock.now(),
      reply,
      edits: 0,
      isDeleted: false,
      isPublished: false,
    };
    messages.push(message);
    return message;
  }

  const standing = (channelId: string, messageId: string): FakeMessage => {
    const message = messages.find((each) => each.channelId === channelId && each.messageId === messageId);
    if (message === undefined || message.isDeleted) {
      throw new MessengerError("message-gone", "gone");
    }
    return message;
  };

  const discord: FakeDiscord = {
    messages,
    calls,
    gone: new Set(),
    left: new Set(),
    unreadable: new Set(),
    closed: new Set(),
    freshLinks: new Map(),
    noticeChannel: undefined,
    timedOutUntilMs: undefined,
    fault: () => undefined,
    failOnce(verb, fault) {
      discord.fault = (called) => {
        if (called !== verb) {
          return undefined;
        }
        discord.fault = () => undefined;
        return fault;
      };
    },
    messenger(die = () => undefined) {
      async function call<T>(
        verb: Verb,
        channelId: string,
        happen: () => T,
        isWanted = () => true,
      ): Promise<T> {
        calls.push(`${verb} ${channelId}`);
        // As over a network, no answer is synchronous.
        await new Promise((resolve) => setImmediate(resolve));
        if (!isWanted()) {
          throw new MessengerError("unavailable", "it is too late to send it");
        }
        const fault = discord.fault(verb, channelId);
        switch (fault) {
          case undefined:
            break;
          case "dies-before":
            die();
            return new Promise(() => undefined);
          case "dies-after":
            happen();
            die();
            return new Promise(() => undefined);
          case "answer-lost":
            happen();
            throw new MessengerError("outcome-unknown", "the answer was lost");
          case "happens-late":
            clock.after(LATE_MS, () => happenLate(happen));
            throw new MessengerError("outcome-unknown", "the answer was lost");
          case "channel-gone":
          case "message-gone":
          case "not-allowed":
          case "dm-closed":
          case "slow-down":
          case "unavailable":
          case "outcome-unknown":
          case "refused":
            throw new MessengerError(fault, "a fault that the test injected");
        }
        if (discord.gone.has(channelId)) {
          throw new MessengerError("channel-gone", "gone");
        }
        return happen();
      }
      return {
        post: (channelId, reply, options) => call("post", channelId, () => create(channelId, reply, options)),
        edit: ({ channelId, messageId }, reply, isWanted) => {
          const happen = (): void => {
            const message = standing(channelId, messageId);
            message.reply = reply;
            message.edits += 1;
          };
          return call("edit", channelId, happen, isWanted);
        },
        delete: ({ channelId, messageId }) =>
          call("delete", channelId, () => {
            const message = messages.find((each) => each.messageId === messageId);
            if (message !== undefined) {
              message.isDeleted = true;
            }
          }),
        conversation: async (userId) => userId,
        dm: (userId, reply, options) =>
          call("dm", userId, () => {
            if (discord.closed.has(userId)) {
              throw new MessengerError("dm-closed", "closed");
            }
            return create(userId, reply, options);
          }),
        publish: ({ channelId, messageId }) =>
          call("publish", channelId, () => {
            standing(channelId, messageId).isPublished = true;
          }),
        ownMessages: (channelId, sinceMs) =>
          call("ownMessages", channelId, () => {
            if (discord.unreadable.has(channelId)) {
              throw new MessengerError("unavailable", "unreadable");
            }
            return messages
              .filter((each) => each.channelId === channelId && !each.isDeleted && each.sentAtMs >= sinceMs)
              .toReversed()
              .map((each) => ({ ...each, componentIds: componentIdsOf(each.reply) }));
          }),
        personMessage: async () => undefined,
        freshLink: async (url) => discord.freshLinks.get(url),
        noticeChannel: (guildId) => call("noticeChannel", guildId, () => discord.noticeChannel),
        guildName: async (guildId) => (discord.left.has(guildId) ? undefined : `name-of-${guildId}`),
        check: async (channelId) =>
          discord.gone.has(channelId)
            ? undefined
            : {
                guildId: "g1",
                kind: "text",
                name: `name-of-${channelId}`,
                missing: [],
                locked: false,
                ...(discord.timedOutUntilMs !== undefined && { timedOutUntilMs: discord.timedOutUntilMs }),
              },
        mayManage: async () => true,
      };
    },
    replace(make) {
      const { messenger } = discord;
      discord.messenger = (die) => {
        const real = messenger(die);
        return { ...real, ...make(real) };
      };
    },
  };
  return discord;
}

/** Runs a late request. Nobody learns of its failure. */
function happenLate(happen: () => unknown): void {
  try {
    happen();
  } catch (error) {
    if (!(error instanceof MessengerError)) {
      throw error;
    }
  }
}

/** The custom ids of a reply's buttons, as Discord would return them. */
export function componentIdsOf(reply: Reply): readonly string[] {
  return buttonsOf(reply).map(({ target }) => formatComponentId(target));
}

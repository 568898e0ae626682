// Takes a message that mentions the bot, or a DM, to the command that works on its files; greets who sends none.
import { LRUCache } from "lru-cache";
import { MessengerError } from "../../core/ports.ts";
import { createMessageReference } from "../message-reference.ts";
import { commandKey, SLASH, type CommandIds } from "../command-ids.ts";
import type { Place } from "../define.ts";
import type { MessageReference } from "../define/message.ts";
import type { Registry, Taker } from "../registry.ts";
import { fileTypeOf } from "./file-type.ts";
import { createGreetingTurn, formatGreeting, type GreetingFacts } from "./greeting.ts";
import { createMessageAnswer } from "./message-answer.ts";
import {
  isCalledByName,
  isHidden,
  isReplyToOthers,
  parseSentMessage,
  type Self,
  type SentMessage,
} from "./message-event.ts";
import { createMessageWork, type MessageWorkDeps } from "./message-work.ts";

/** A session that resumes may hear an event again: this many of the newest are remembered. */
const REMEMBERED = 2_000;
/** More than these are not begun: answers to messages leave one by one, and memory stays bounded. */
const MOST_UNDER_WAY = 200;

export interface MessageDispatchDeps extends MessageWorkDeps {
  readonly registry: Registry;
  readonly ids: CommandIds;
  /** `undefined` before the bot has logged in. */
  readonly self: () => Self | undefined;
}

/** Handles the payload of one MESSAGE_CREATE; `undefined` where nothing follows from it. Never throws or rejects. */
export type MessageDispatch = (payload: unknown) => Promise<void> | undefined;

export function createMessageDispatch(deps: MessageDispatchDeps): MessageDispatch {
  const { registry, messenger, ids, clock, log } = deps;
  const work = createMessageWork(deps);
  const handled = new LRUCache<string, true>({ max: REMEMBERED });
  const isGreetingTurn = createGreetingTurn(clock);
  let underWay = 0;

  async function answer(sent: SentMessage, self: Self): Promise<void> {
    const place: Place = sent.guild_id === undefined ? "bot-dm" : "guild";
    const message = createMessageReference(sent);
    const takers = registry.messages(place);
    const taker = findTaker(takers, message);
    if (taker) {
      await work({ sent, self, taker, message });
    } else if (isCalledByName(sent, self)) {
      const trouble = isHidden(sent, self) ? "hidden" : message.attachments.length > 0 ? "unfit" : "none";
      await greet(sent, self, { place, trouble, takers });
    }
  }

  async function greet(
    sent: SentMessage,
    self: Self,
    facts: Pick<GreetingFacts, "place" | "trouble" | "takers">,
  ): Promise<void> {
    if (isGreetingTurn(facts, { channelId: sent.channel_id, personId: sent.author.id })) {
      const repliesToOthers = isReplyToOthers(sent, self);
      const greeting = formatGreeting({ ...facts, repliesToOthers, help: findHelp() });
      await createMessageAnswer({ sent, messenger, log }).send(greeting);
    }
  }

  function findHelp(): string | undefined {
    const id = ids.get(commandKey(SLASH, "help"));
    if (!registry.slash("help", undefined)) {
      return undefined;
    }
    return id === undefined ? "`/help`" : `</help:${id}>`;
  }

  return (payload) => {
    const self = deps.self();
    const sent = self && parseSentMessage(payload, self);
    if (!self || !sent || handled.has(sent.id)) {
      return undefined;
    }
    handled.set(sent.id, true);
    if (underWay >= MOST_UNDER_WAY) {
      log.warn({ message: sent.id }, "too many messages wait for an answer; this one gets none");
      return undefined;
    }
    underWay += 1;
    return answer(sent, self)
      .catch((error: unknown) => {
        const details = { error, message: sent.id };
        if (error instanceof MessengerError) {
          log.warn(details, "an answer to a message could not be sent");
        } else {
          log.error(details, "a message could not be answered");
        }
      })
      .finally(() => {
        underWay -= 1;
      });
  };
}

/** The first that takes one of the message's files. */
function findTaker(takers: readonly Taker[], { attachments }: MessageReference): Taker | undefined {
  const sentTypes = new Set(attachments.map(fileTypeOf));
  return takers.find(({ handler }) => handler.fileTypes.some((type) => sentTypes.has(type)));
}

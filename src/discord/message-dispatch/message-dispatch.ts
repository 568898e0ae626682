// Passes a mention of the bot or a DM to the commands that accept its files or understand its words. If none does, greets.
import type { Admission } from "../admission.ts";
import { LRUCache } from "lru-cache";
import { limitEntries } from "../../core/cache-options.ts";
import { MessengerError } from "../../core/ports.ts";
import { createMessageReference } from "../message-media.ts";
import type { OffersCommand } from "../directory.ts";
import { FILE_TYPES, type FileType, type InteractionContext } from "../define.ts";
import type { MessageReference, Services } from "../define/context.ts";
import type { MessageHandler } from "../registry.ts";
import {
  type Self,
  type SentMessage,
  fileTypeOf,
  isCalledByName,
  isHidden,
  isReplyToOthers,
  parseSentMessage,
} from "./message-event.ts";
import { type MessageWorkDependencies, createMessageAnswer, createMessageWork } from "./message-work.ts";
import { runFor } from "../../core/asker.ts";
import type { Clock } from "../../core/clock.ts";
import { type Reply, escapeMarkdown, textReply } from "../../core/reply.ts";

/** A resumed session may repeat events, so the ids of this many recent messages are remembered. */
const REMEMBERED = 2_000;
/** Further messages are ignored, so that memory stays bounded: answers are sent one by one. */
const MAX_UNDER_WAY = 200;
/** So that one server does not use up all of them. Discord accepts about one answer a second in each channel. */
const MAX_UNDER_WAY_IN_SERVER = 50;

/** Handles the payload of one MESSAGE_CREATE; returns `undefined` if the message is ignored. Never throws or rejects. */
export type MessageDispatch = (payload: unknown) => Promise<void> | undefined;

export function createMessageDispatch(
  deps: MessageWorkDependencies & {
    readonly offers: OffersCommand;
    readonly admission: Pick<Admission, "isAllowed">;
    readonly self: () => Self | undefined;
  },
): MessageDispatch {
  const { registry, messenger, admission, offers, clock, log } = deps;
  const work = createMessageWork(deps);
  const handled = new LRUCache<string, true>({ max: REMEMBERED });
  const mayGreet = createGreetingLimiter(clock);
  /** The server of each message. A DM counts as a server of its own. */
  const underWay = new Map<string, string>();

  async function answer(sent: SentMessage, self: Self): Promise<void> {
    const origin: InteractionContext = sent.guild_id === undefined ? "bot-dm" : "guild";
    const message = createMessageReference(sent);
    const handlers = registry.messages(origin);
    const fitting = findHandlers(handlers, message, deps.services);
    if (fitting.length === 0) {
      const reason = isHidden(sent, self) ? "hidden" : message.attachments.length > 0 ? "unfit" : "none";
      if (mayGreet({ origin, reason }, { channelId: sent.channel_id, personId: sent.author.id })) {
        const repliesToOthers = isReplyToOthers(sent, self);
        const greeting = formatGreeting({ origin, reason, repliesToOthers, handlers, offers });
        await createMessageAnswer({ sent, messenger, log }).send(greeting);
      }
      return;
    }
    if (sent.guild_id !== undefined) {
      deps.noteUse(sent.guild_id);
    }
    const asker = { userId: sent.author.id, guildId: sent.guild_id };
    const sinceMs = clock.elapsed();
    let answered = 0;
    for (const [index, messageHandler] of fitting.entries()) {
      // If several commands fit, those that the person may use answer. If they may use none, the last one says so.
      const skipsIfForbidden = answered > 0 || index < fitting.length - 1;
      const request = { sent, self, messageHandler, message, answerNumber: index, skipsIfForbidden };
      answered += Number(await runFor(asker, () => work(request), { id: sent.id, sinceMs }));
    }
  }

  const isServed = ({ guild_id: guildId }: SentMessage): boolean =>
    guildId === undefined || admission.isAllowed(guildId);

  return (payload) => {
    const self = deps.self();
    const sent = self && parseSentMessage(payload, self);
    if (!self || !sent || handled.has(sent.id) || !isServed(sent) || !isCalledByName(sent, self)) {
      return undefined;
    }
    handled.set(sent.id, true);
    const server = sent.guild_id ?? sent.channel_id;
    const underWayHere = [...underWay.values()].filter((each) => each === server).length;
    if (underWay.size >= MAX_UNDER_WAY || underWayHere >= MAX_UNDER_WAY_IN_SERVER) {
      log.warn({ message: sent.id }, "message ignored, too many under way");
      return undefined;
    }
    underWay.set(sent.id, server);
    return answer(sent, self)
      .catch((error: unknown) => {
        const details = { error, message: sent.id };
        if (error instanceof MessengerError) {
          log.warn(details, "answer to a message not sent");
        } else {
          log.error(details, "message not answered");
        }
      })
      .finally(() => {
        underWay.delete(sent.id);
      });
  };
}

function findHandlers(
  handlers: readonly MessageHandler[],
  { attachments, content }: MessageReference,
  services: Services,
): readonly MessageHandler[] {
  if (attachments.length === 0) {
    return handlers.filter(({ handler }) => handler.words?.understands(content, services)).slice(0, 1);
  }
  const sentTypes = new Set(attachments.map(fileTypeOf));
  return handlers.filter(({ handler }) => handler.fileTypes?.some((type) => sentTypes.has(type)));
}

export interface GreetingFacts {
  readonly origin: InteractionContext;
  /** `none`: no files, and no words that a command understands. `unfit`: no command accepts the files. */
  readonly reason: "none" | "unfit" | "hidden";
  /** Whether the message replies to one whose files the bot cannot see. */
  readonly repliesToOthers: boolean;
  readonly handlers: readonly MessageHandler[];
  readonly offers: OffersCommand;
}

const NAMES: Readonly<Record<FileType, string>> = { image: "a picture", video: "a video" };

export function formatGreeting({ origin, reason, repliesToOthers, handlers, offers }: GreetingFacts): Reply {
  const menus = handlers.flatMap(({ runnable }) => runnable.definition.messageMenu?.name ?? []);
  const sentences = [
    OPENINGS[reason],
    ...handlers.flatMap((each) => (reason === "hidden" ? [] : formatExample(origin, each, offers))),
    formatOffer(origin, handlers),
    repliesToOthers && menus.length > 0
      ? "For someone else's message, right-click it or press and hold it, then choose Apps and " +
        `${menus.map((name) => `**${escapeMarkdown(name)}**`).join(" or ")}.`
      : "",
    offers("help") ? "`/help` shows what else I can do." : "Type `/` to see what I can do.",
  ];
  return textReply(sentences.filter((sentence) => sentence !== "").join(" "));
}

const OPENINGS: Readonly<Record<GreetingFacts["reason"], string>> = {
  none: "Hello.",
  unfit: "Sorry, I can't do anything with that kind of file.",
  hidden: "You mentioned my role, and Discord hides those messages from me. Please mention me by name.",
};

function formatExample(
  origin: InteractionContext,
  { runnable, handler }: MessageHandler,
  offers: OffersCommand,
): readonly string[] {
  if (!handler.words || !offers(runnable.path)) {
    return [];
  }
  const how = origin === "guild" ? "mention me with" : "just write";
  return [`Try \`/${runnable.path}\`, or ${how} “${handler.words.example}”.`];
}

/** Mentions only commands that need no permission. */
function formatOffer(origin: InteractionContext, handlers: GreetingFacts["handlers"]): string {
  const open = handlers.filter(({ runnable }) => runnable.permission === undefined);
  const names = FILE_TYPES.filter((type) =>
    open.some(({ handler }) => handler.fileTypes?.includes(type)),
  ).map((type) => NAMES[type]);
  if (names.length === 0) {
    return "";
  }
  const what = names.join(" or ");
  return origin === "guild"
    ? `Mention me in a message with ${what} attached, and I'll take it from there.`
    : `Send me ${what}, and I'll take it from there.`;
}

/** One greeting is enough for a person, and for a channel; in a DM, somebody waits for an answer. */
const AGAIN_FOR_PERSON_MS = 10 * 60_000;
const AGAIN_IN_CHANNEL_MS = 60_000;
const AGAIN_IN_DM_MS = 5_000;
const REMEMBERED_GREETINGS = 4_000;

/** Returns a function that says whether to greet a person in a channel now. If it returns true, they count as greeted. */
export function createGreetingLimiter(clock: Clock) {
  /** When each channel and each person last got each greeting. */
  const lastMs = new LRUCache<string, number>(limitEntries(REMEMBERED_GREETINGS));
  const isDue = (key: string, everyMs: number) => clock.elapsed() - (lastMs.get(key) ?? -Infinity) >= everyMs;

  return (
    { origin, reason }: Pick<GreetingFacts, "origin" | "reason">,
    { channelId, personId }: { readonly channelId: string; readonly personId: string },
  ): boolean => {
    const channel = `${origin} ${reason} ${channelId}`;
    const person = `${origin} ${reason} ${personId}`;
    const mayGreet =
      origin === "guild"
        ? isDue(person, AGAIN_FOR_PERSON_MS) && isDue(channel, AGAIN_IN_CHANNEL_MS)
        : isDue(person, AGAIN_IN_DM_MS);
    if (mayGreet) {
      lastMs.set(channel, clock.elapsed()).set(person, clock.elapsed());
    }
    return mayGreet;
  };
}

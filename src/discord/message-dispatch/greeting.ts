// What a person hears who calls the bot without anything that it could work on.
import { LRUCache } from "lru-cache";
import type { Clock } from "../../core/clock.ts";
import { escapeMarkdown, textReply, type Reply } from "../../core/reply.ts";
import type { FileType, Place } from "../define.ts";
import type { Taker } from "../registry.ts";

/** What there is to say. */
export interface GreetingFacts {
  readonly place: Place;
  /** What is wrong with what was sent: nothing, no file that fits, or all of it hidden by Discord. */
  readonly trouble: "none" | "unfit" | "hidden";
  /** Whether it replies to a message whose files the bot is not shown. */
  readonly repliesToOthers: boolean;
  /** The commands that take files there. */
  readonly takers: readonly Taker[];
  /** A mention of /help that can be tapped, or its name; `undefined` where there is no such command. */
  readonly help: string | undefined;
}

const NAMES: Readonly<Record<FileType, string>> = { image: "a picture", video: "a video" };
const TYPES: readonly FileType[] = ["image", "video"];

export function formatGreeting({ place, trouble, repliesToOthers, takers, help }: GreetingFacts): Reply {
  const menus = takers.flatMap(({ leaf }) => leaf.definition.messageMenu?.name ?? []);
  const sentences = [
    OPENINGS[trouble],
    formatOffer(place, takers),
    repliesToOthers && menus.length > 0
      ? "For what somebody else has sent, press and hold their message, or right-click it, then choose Apps and " +
        `${menus.map((name) => `**${escapeMarkdown(name)}**`).join(" or ")}.`
      : "",
    help === undefined ? "Type `/` to see what I can do." : `${help} shows what else I can do.`,
  ];
  return textReply(sentences.filter((sentence) => sentence !== "").join(" "));
}

const OPENINGS: Readonly<Record<GreetingFacts["trouble"], string>> = {
  none: "Hello.",
  unfit: "I cannot do anything with a file of that kind, sorry.",
  hidden:
    "You have mentioned my role, and Discord hides such messages from me. Please mention me by my own name.",
};

/** What a command asks special rights for is not promised to everyone. */
function formatOffer(place: Place, takers: GreetingFacts["takers"]): string {
  const open = takers.filter(({ leaf }) => leaf.permission === undefined);
  const names = TYPES.filter((type) => open.some(({ handler }) => handler.fileTypes.includes(type))).map(
    (type) => NAMES[type],
  );
  if (names.length === 0) {
    return "";
  }
  const what = names.join(" or ");
  return place === "guild"
    ? `Mention me in a message with ${what} attached, and I will take it from there.`
    : `Send me ${what}, and I will take it from there.`;
}

/** Whoever has heard it knows; and where many call at once, one answer is enough. */
const AGAIN_FOR_PERSON_MS = 10 * 60_000;
const AGAIN_IN_CHANNEL_MS = 60_000;
const REMEMBERED = 4_000;

/** Whether a person is to hear a greeting in a channel now; what it says yes to counts as heard. */
export type GreetingTurn = (
  facts: Pick<GreetingFacts, "place" | "trouble">,
  where: { readonly channelId: string; readonly personId: string },
) => boolean;

export function createGreetingTurn(clock: Clock): GreetingTurn {
  /** When each channel and each person last heard each greeting. */
  const lastMs = new LRUCache<string, number>({ max: REMEMBERED });
  const isDue = (key: string, everyMs: number) => clock.elapsed() - (lastMs.get(key) ?? -Infinity) >= everyMs;

  return ({ place, trouble }, { channelId, personId }) => {
    const channel = `${place} ${trouble} ${channelId}`;
    const person = `${place} ${trouble} ${personId}`;
    const isTurn = isDue(person, AGAIN_FOR_PERSON_MS) && isDue(channel, AGAIN_IN_CHANNEL_MS);
    if (isTurn) {
      lastMs.set(channel, clock.elapsed()).set(person, clock.elapsed());
    }
    return isTurn;
  };
}

// Simulated people who publish and approve videos: they press the buttons that they see, and retry if no answer comes.
import type { SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import type { Member } from "../../sandbox/discord/actors/member.ts";
import { walkComponents } from "../../sandbox/discord/serialise/message.ts";
import type { World } from "../../sandbox/world.ts";
import { parseComponentId } from "../../src/core/component-id.ts";
import {
  readShownState,
  saysNothingPublished,
  textOf,
  videosOf,
  type ShownState,
  type PublicationMessages,
} from "./video-messages.ts";
import { film } from "./video-world.ts";

/** A publication and the card with which it began. */
export interface StartedPublication {
  readonly id: string;
  readonly title: string;
  readonly card: SeenMessage;
}

/** A press and its purpose. */
interface Press {
  readonly what: "publish" | "approve" | "cancel" | "retry" | "settle";
  readonly run: () => Promise<unknown>;
}

/** Presses buttons for one publication. */
export interface ButtonPresser {
  /** Presses the next button, but not too often. */
  press(): void;
  /** How often a person had to decide an unknown outcome. */
  readonly settled: number;
}

const FILM_BYTES = 60_000;
/** The minimum time between two presses. */
const PRESS_EVERY_MS = 5_000;
/** The most retries; without further faults, one is enough. */
const MAX_RETRIES = 5;

const RESTING: ReadonlySet<ShownState> = new Set([
  "published",
  "cancelled",
  "expired",
  "failed",
  "refused",
  "deleted",
]);

/** Asks for a card, as the moderator with the file. */
export async function askForCard(
  world: World,
  title: string,
  publishAt: string | undefined,
): Promise<StartedPublication> {
  const answer = await world.member("Grace").slash(world.channels.general, "video publish", {
    file: film(`${title}.mp4`, FILM_BYTES),
    title,
    description: `About ${title}.`,
    ...(publishAt !== undefined && { publish_at: publishAt }),
  });
  const go = buttonOf(answer.message, "go");
  const id = parseComponentId(go ?? "")?.args["d"];
  if (id === undefined) {
    throw new Error(`the answer is not a card: ${answer.text}`);
  }
  return { id, title, card: answer.message };
}

/** `cancelAfterMs`: how long after it is first seen on its way somebody wants to cancel it; Infinity if nobody does. */
export function createButtonPresser(
  world: World,
  messages: PublicationMessages,
  started: StartedPublication,
  cancelAfterMs = Infinity,
): ButtonPresser {
  let pressedAtMs = -Infinity;
  let seenAtMs = Infinity;
  let retries = 0;
  let settled = 0;
  let hasCancelled = false;
  return {
    get settled() {
      return settled;
    },
    press() {
      const nowMs = world.clock.now();
      seenAtMs = messages.of(started.id).own.length > 0 ? Math.min(seenAtMs, nowMs) : Infinity;
      if (nowMs - pressedAtMs < PRESS_EVERY_MS) {
        return;
      }
      const wantsCancel = !hasCancelled && nowMs - seenAtMs >= cancelAfterMs;
      const next = nextPress(world, messages, started, wantsCancel);
      if (next === undefined || (next.what === "retry" && retries >= MAX_RETRIES)) {
        return;
      }
      pressedAtMs = nowMs;
      hasCancelled ||= next.what === "cancel";
      retries += next.what === "retry" ? 1 : 0;
      settled += next.what === "settle" ? 1 : 0;
      // A press on a bot that dies gets no answer, and is repeated.
      next.run().catch(() => undefined);
    },
  };
}

/** Whether the publication is in a final state and nobody has anything left to press. */
export function isAtRest(world: World, messages: PublicationMessages, started: StartedPublication): boolean {
  const [message] = messages.of(started.id).own;
  const said = message && readShownState(textOf(message));
  return said !== undefined && RESTING.has(said) && nextPress(world, messages, started, false) === undefined;
}

/** The next button that somebody would press; `undefined` if there is none or nobody wants anything. */
function nextPress(
  world: World,
  messages: PublicationMessages,
  { id, title, card }: StartedPublication,
  wantsCancel: boolean,
): Press | undefined {
  const grace = world.member("Grace");
  const { own, approvals } = messages.of(id);
  const message = seen(grace, world, own.at(-1)?.id);
  if (message === undefined) {
    return approvals.length > 0
      ? undefined
      : { what: "publish", run: () => grace.click(card, buttonOf(card, "go") ?? "") };
  }
  const cancel = buttonOf(message, "cancel");
  if (wantsCancel && cancel !== undefined) {
    return { what: "cancel", run: () => grace.click(message, cancel) };
  }
  const text = textOf(message);
  const said = readShownState(text);
  const retry = buttonOf(message, "retry");
  if (said === "awaiting-approval") {
    return approve(world, approvals.at(-1)?.id);
  }
  if (said === "failed" && retry !== undefined && saysNothingPublished(text)) {
    return { what: "retry", run: () => grace.click(message, retry) };
  }
  return said === "outcome-unknown"
    ? { what: "settle", run: () => settle(world, grace, message, title) }
    : undefined;
}

function approve(world: World, id: string | undefined): Press | undefined {
  const ada = world.member("Ada");
  const asked = seen(ada, world, id);
  const button = asked && buttonOf(asked, "approve");
  return asked === undefined || button === undefined
    ? undefined
    : { what: "approve", run: () => ada.click(asked, button) };
}

/** Checks the page itself, and tells the bot what is there. */
async function settle(world: World, grace: Member, message: SeenMessage, title: string): Promise<void> {
  const found = await grace.click(message, buttonOf(message, "look") ?? "");
  await grace.click(found.message, videosOf(world, title).length === 0 ? "Publish again" : "This is it");
}

function seen(member: Member, world: World, id: string | undefined): SeenMessage | undefined {
  const { general, staff } = world.channels;
  return [...member.messages(general), ...member.messages(staff)].find((message) => message.id === id);
}

/** The commands of the buttons on cards and on publications' messages. */
const PRESSED = new Set(["video/card", "video/publication", "video/doubt"]);

function buttonOf({ components }: SeenMessage, action: string): string | undefined {
  return [...walkComponents(components)]
    .map((component) => String(component["custom_id"]))
    .find((customId) => {
      const target = parseComponentId(customId);
      return target !== undefined && PRESSED.has(target.command) && target.action === action;
    });
}

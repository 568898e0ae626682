// What the buttons of watches carry, and where they go.
import { z } from "zod";
import type { ActionButton } from "../core/reply.ts";
import type { TrainSighting } from "../rail/trains.ts";
import type { NotifyChoice } from "./manage-watches.ts";
import { cutForId, parseComponentId } from "../core/component-id.ts";
import { formatMinute, minuteSchema } from "../time/parse-when.ts";

/** Args of a button for one watch. */
export const watchArgsSchema = z.object({ w: z.string().regex(/^[0-9a-z]{8}$/) });

/**
 * What a button does with a watch. `pause`, `resume` and `stop` stand on messages that others may see, or that stay:
 * they answer the person beside it. The same on a card takes the card's place.
 */
type WatchAction = keyof typeof LOOKS;

const PAUSE = { label: "Pause", emoji: "⏸️" } as const;
const RESUME = { label: "Resume", emoji: "▶️", style: "success" } as const;
const STOP = { label: "Stop", emoji: "⏹️" } as const;

const LOOKS = {
  save: { label: "Save", style: "success" },
  discard: { label: "Discard" },
  pause: PAUSE,
  resume: RESUME,
  stop: STOP,
  change: { label: "Change", emoji: "✏️" },
  cardPause: PAUSE,
  cardResume: RESUME,
  cardStop: STOP,
} as const satisfies Readonly<Record<string, Pick<ActionButton, "label" | "emoji" | "style">>>;

/** A button for one watch, by its id. `mark` goes into its args as well, e.g. the day of an incident. */
export function watchButton(
  action: WatchAction,
  watchId: string,
  mark: Readonly<Record<string, string>> = {},
): ActionButton {
  const command = action === "save" || action === "discard" ? "watch/draft" : "watch/list";
  return { type: "button", ...LOOKS[action], target: { command, action, args: { w: watchId, ...mark } } };
}

/**
 * The mark that an incident's message carries in its buttons: which watch it is of, and, as `d`, which of its days. By it
 * the message is found again after a crash or a lost answer; `undefined` where these components carry none.
 */
export function findIncidentMark(
  componentIds: readonly string[],
): { readonly watchId: string; readonly day: string } | undefined {
  for (const id of componentIds) {
    const target = parseComponentId(id);
    const { w: watchId = "", d: day = "" } = target?.args ?? {};
    if (target?.command.startsWith("watch/") && watchId !== "" && day !== "") {
      return { watchId, day };
    }
  }
  return undefined;
}

const crs = z.string().regex(/^[A-Z]{3}$/);
const minutes = z.coerce.number().int().positive().optional();

/**
 * What somebody wants of a watch, while they choose its train; `station` is where the train is caught. Reads what
 * {@link formatWatchWish} wrote; refuses anything else.
 */
export const watchWishSchema = z
  .object({
    s: crs,
    t: crs.optional(),
    d: minutes,
    l: minutes,
    p: z.literal("1").optional(),
    c: z.literal("1").optional(),
  })
  .transform(({ s, t, d, l, p, c }) => ({
    station: s,
    to: t,
    delay: d,
    lead: l,
    ping: p === "1",
    where: c === "1" ? ("here" as const) : ("dm" as const),
  }));

export type WatchWish = { readonly station: string; readonly to?: string | undefined } & NotifyChoice;

/** Writes a wish for a component's id, leaving out what is as usual. */
export function formatWatchWish({
  station,
  to,
  delay,
  lead,
  ping,
  where,
}: WatchWish): Readonly<Record<string, string>> {
  return {
    s: station,
    ...(to !== undefined && { t: to }),
    ...(delay !== undefined && { d: String(delay) }),
    ...(lead !== undefined && { l: String(lead) }),
    ...(ping && { p: "1" }),
    ...(where === "here" && { c: "1" }),
  };
}

/** Room in an id for the beginning of a place's name. */
const PLACE_LIMIT = 40;

/** A train that leaves a station, as the Watch button remembers it. */
export type WatchedSighting = Omit<TrainSighting, "kind">;

/** Reads what {@link watchTrainButton} wrote; refuses anything else. */
export const sightingArgsSchema = z
  .object({
    s: crs,
    a: minuteSchema,
    u: z.string().max(12).optional(),
    b: z.iso.date().optional(),
    p: z.string().default(""),
  })
  .transform(({ s, a, u, b, p }): WatchedSighting => ({
    crs: s,
    aimedAt: a,
    trainUid: u,
    startDate: b,
    place: p,
  }));

/** A button that watches a train for the person who presses it. */
export function watchTrainButton({
  crs: s,
  aimedAt,
  trainUid,
  startDate,
  place,
}: WatchedSighting): ActionButton {
  const args = {
    s,
    a: formatMinute(aimedAt),
    ...(trainUid !== undefined && { u: trainUid }),
    ...(startDate !== undefined && { b: startDate }),
    // Who has a name needs no other.
    ...(trainUid === undefined && { p: cutForId(place, PLACE_LIMIT) }),
  };
  return {
    type: "button",
    label: "Watch",
    emoji: "🔔",
    target: { command: "watch/train", action: "watch", args },
  };
}

// What the buttons of watches carry, and where they go.
import {
  type ArgsOf,
  anyText,
  defineArgs,
  crs,
  flag,
  integer,
  minute,
  oneOf,
  optional,
  shortId,
  textLike,
  withDefault,
} from "../core/component-args.ts";
import { buttonTo, type ActionButton } from "../core/reply.ts";
import type { TrainReference } from "../rail/trains.ts";
import { sourceOfTrain } from "../sources/transport-data.ts";
import { cutForId, parseComponentId } from "../core/component-id.ts";

export const watchArgs = defineArgs({ id: ["w", shortId] });

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
  undo: { label: "Undo" },
} as const satisfies Readonly<Record<string, Pick<ActionButton, "label" | "emoji" | "style">>>;

/** A button for one watch, by its id. `mark` goes into its args as well, e.g. the day of an incident. */
export function watchButton(
  action: WatchAction,
  watchId: string,
  mark: Readonly<Record<string, string>> = {},
): ActionButton {
  const command = action === "save" || action === "discard" ? "watch/draft" : "watch/list";
  const target = { command, action, args: { ...watchArgs.encode({ id: watchId }), ...mark } };
  return { type: "button", ...LOOKS[action], target };
}

/** Whether a component is of this watch, and of no particular day. */
export function isOfWatch(componentId: string, watchId: string): boolean {
  const { command = "", args } = parseComponentId(componentId) ?? {};
  return command.startsWith("watch/") && args?.["w"] === watchId && args["d"] === undefined;
}

/**
 * The mark that an incident's message carries in its buttons: which watch it is of, as `d` which of its days, and as `n`
 * which of its messages, from 0.
 */
export const incidentMark = defineArgs({
  watchId: ["w", anyText(40)],
  day: ["d", anyText(40)],
  message: ["n", withDefault(integer(1, 99), 0)],
});

/** The mark by which a message is found again after a crash or a lost answer; `undefined` if these components carry none. */
export function findIncidentMark(componentIds: readonly string[]): ArgsOf<typeof incidentMark> | undefined {
  for (const id of componentIds) {
    const target = parseComponentId(id);
    const mark = target?.command.startsWith("watch/") ? incidentMark.decode(target.args) : undefined;
    if (mark) {
      return mark;
    }
  }
  return undefined;
}

const minutes = optional(integer(1, Number.MAX_SAFE_INTEGER));

/** What somebody wants of a watch, while they choose its train; `station` is where the train is caught. */
export const watchWishArgs = defineArgs({
  station: ["s", crs],
  to: ["t", optional(crs)],
  delay: ["d", minutes],
  lead: ["l", minutes],
  ping: ["p", flag],
  where: ["c", withDefault(oneOf({ here: "1" }), "dm")],
});

export type WatchWish = ArgsOf<typeof watchWishArgs>;

/** Room in an id for the beginning of a place's name. */
const PLACE_LIMIT = 38;

/** The longest name on our list has 27 letters. */
const OPERATOR_LIMIT = 36;

/** A train that leaves a station, as the Watch button remembers it. */
export type WatchedReference = Omit<TrainReference, "kind">;

export const sightingArgs = defineArgs({
  crs: ["s", crs],
  aimedAt: ["a", minute],
  trainUid: ["u", optional(textLike(/^.{0,20}$/s))],
  startDate: ["b", optional(textLike(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/))],
  place: ["p", withDefault(textLike(/^/), "")],
});

/** A button that watches a train for the person who presses it. */
export function watchTrainButton({ place, ...train }: WatchedReference): ActionButton {
  return buttonTo(
    "Watch",
    {
      command: "watch/train",
      action: "watch",
      args: sightingArgs.encode({ ...train, place: needsPlace(train) ? cutForId(place, PLACE_LIMIT) : "" }),
    },
    { emoji: "🔔" },
  );
}

/** Which operator's disruptions to watch; all where there is none. */
export const disruptionsArgs = defineArgs({ operator: ["p", optional(anyText(OPERATOR_LIMIT))] });

/** A button that watches disruptions for the person who presses it. */
export function watchDisruptionsButton(operator: string | undefined): ActionButton {
  const target = {
    command: "watch/disruptions",
    action: "watch",
    args: disruptionsArgs.encode({ operator }),
  };
  return buttonTo("Watch", target, { emoji: "🔔" });
}

/** Whether a train is found by its time and place: it has no id, or its source soon forgets the id. */
function needsPlace({ trainUid }: Pick<WatchedReference, "trainUid">): boolean {
  return trainUid === undefined || sourceOfTrain(trainUid) === "rail-data";
}

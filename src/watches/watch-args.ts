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
  cutForId,
  parseComponentId,
} from "../core/component-id.ts";
import { buttonTo, type ActionButton } from "../core/reply.ts";
import { OPERATOR_LIMIT } from "../rail/operators.ts";
import type { TrainReference } from "../rail/trains.ts";
import { sourceOfTrain } from "../sources/transport-data.ts";

export const watchArgs = defineArgs({ id: ["w", shortId] });

/**
 * `pause`, `resume` and `stop` are on messages that others may see or that stay, so their answer is a new
 * message. `cardPause`, `cardResume` and `cardStop` update the card that they are on.
 */
type WatchAction = keyof typeof BUTTONS;

const PAUSE = { label: "Pause", emoji: "⏸️" } as const;
const RESUME = { label: "Resume", emoji: "▶️", style: "success" } as const;
const STOP = { label: "Stop", emoji: "⏹️" } as const;

const BUTTONS = {
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

/** `mark` is added to its arguments, e.g. the day of an incident. */
export function watchButton(
  action: WatchAction,
  watchId: string,
  mark: Readonly<Record<string, string>> = {},
): ActionButton {
  const command = action === "save" || action === "discard" ? "watch/draft" : "watch/list";
  const target = { command, action, args: { ...watchArgs.encode({ id: watchId }), ...mark } };
  return { type: "button", ...BUTTONS[action], target };
}

/** Whether a component belongs to this watch as a whole and not to one of its incidents. */
export function isOfWatch(componentId: string, watchId: string): boolean {
  const { command = "", args } = parseComponentId(componentId) ?? {};
  return command.startsWith("watch/") && args?.["w"] === watchId && args["d"] === undefined;
}

/** The buttons of an incident's message carry it. `message` counts the incident's messages from 0. */
export const incidentMark = defineArgs({
  watchId: ["w", anyText(40)],
  day: ["d", anyText(40)],
  message: ["n", withDefault(integer(1, 99), 0)],
});

/** Recognises a message after a crash or a lost answer; `undefined` if the components have no mark. */
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

/** The options of a watch whose train still has to be chosen; `station` is where the person gets on. */
export const watchRequestArgs = defineArgs({
  station: ["s", crs],
  to: ["t", optional(crs)],
  delay: ["d", minutes],
  lead: ["l", minutes],
  ping: ["p", flag],
  where: ["c", withDefault(oneOf({ here: "1" }), "dm")],
});

export type WatchRequest = ArgsOf<typeof watchRequestArgs>;

/** How many characters of an id the beginning of a place's name may take. */
const PLACE_LIMIT = 38;

/** A departure as the **Watch** button identifies it. */
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

/** Absent for all operators. */
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

/** Whether a train has to be found by its time and place, because it has no id or its source soon forgets the id. */
function needsPlace({ trainUid }: Pick<WatchedReference, "trainUid">): boolean {
  return trainUid === undefined || sourceOfTrain(trainUid) === "rail-data";
}

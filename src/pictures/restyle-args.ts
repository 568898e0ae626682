// What the buttons under a picture remember, small enough for a component's id and readable after a restart.
import { z } from "zod";
import { type ComponentTarget, parseBase36 } from "../core/component-id.ts";

/** Everything but the picture itself, which stands in the message. */
export interface RestyleArgs {
  /** A style's id; `undefined` while none is chosen. */
  readonly style: string | undefined;
  readonly blend: string | undefined;
  /** 1 to 100. */
  readonly intensity: number;
  readonly isSpoiler: boolean;
  /** The original was the first frame of something that moved. */
  readonly wasAnimated: boolean;
  readonly ownerId: string;
}

/** What a component does with a picture that stands in its message, and where that ends. */
const ACTIONS = {
  again: "style",
  word: "style",
  full: "style",
  delete: "style",
  pick: "style/choice",
  picture: "style/choice",
} as const;
export type RestyleAction = keyof typeof ACTIONS;

const [SPOILER, ANIMATED] = [1, 2];

/** e.g. `oil.mosaic.2s1.bxq1tzsm9qt`: styles, strength in two digits and a digit of marks, owner. */
const WRITTEN = /^([\w-]{0,32})\.([\w-]{0,32})\.([\da-z]{2})([0-3])\.([\da-z]{1,13})$/;

/** Where a component goes. Two styles of 32 characters fit, where no style is to be chosen still. */
export function restyleTarget(action: RestyleAction, args: RestyleArgs): ComponentTarget {
  const { style = "", blend = "", intensity, isSpoiler, wasAnimated, ownerId } = args;
  const marks = (isSpoiler ? SPOILER : 0) + (wasAnimated ? ANIMATED : 0);
  const strength = intensity.toString(36).padStart(2, "0");
  const owner = BigInt(ownerId).toString(36);
  return {
    command: ACTIONS[action],
    action,
    args: { a: [style, blend, `${strength}${marks}`, owner].join(".") },
  };
}

/** Reads what {@link restyleTarget} wrote; refuses anything else. */
export const restyleArgsSchema = z.object({ a: z.string() }).transform(({ a }, context): RestyleArgs => {
  const [, style, blend, strength = "", marks, owner = ""] = WRITTEN.exec(a) ?? [];
  const intensity = Number.parseInt(strength, 36);
  if (!(intensity >= 1 && intensity <= 100)) {
    context.addIssue("no picture's args");
    return z.NEVER;
  }
  return {
    style: style || undefined,
    blend: blend || undefined,
    intensity,
    isSpoiler: (Number(marks) & SPOILER) !== 0,
    wasAnimated: (Number(marks) & ANIMATED) !== 0,
    ownerId: String(parseBase36(owner)),
  };
});

/** Args of the button that stops work. */
export const workArgsSchema = z.object({ w: z.string().regex(/^[0-9a-f]{12}$/) });

/** Where the button goes that stops work. */
export function cancelTarget(workId: string): ComponentTarget {
  return { command: "style/work", action: "cancel", args: { w: workId } };
}

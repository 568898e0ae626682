// What the buttons under a picture remember, small enough for a component's id and readable after a restart.
import { type Arg, type ArgsOf, defineArgs, textLike, transformArgs } from "../core/component-args.ts";
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
  /** Only the person who asked sees the result. */
  readonly isPrivate: boolean;
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
  first: "style/choice",
  several: "style/choice",
  keep: "style/choice",
} as const;
export type RestyleAction = keyof typeof ACTIONS;

const [SPOILER, ANIMATED, PRIVATE] = [1, 2, 4];

/** e.g. `oil.mosaic.2s1.bxq1tzsm9qt`: styles, strength in two digits and a digit of marks, owner. */
const WRITTEN = /^([\w-]{0,32})\.([\w-]{0,32})\.([\da-z]{2})([0-7])\.([\da-z]{1,13})$/;

const written: Arg<RestyleArgs> = {
  write({ style = "", blend = "", intensity, isSpoiler, wasAnimated, isPrivate, ownerId }) {
    const marks = (isSpoiler ? SPOILER : 0) + (wasAnimated ? ANIMATED : 0) + (isPrivate ? PRIVATE : 0);
    const strength = intensity.toString(36).padStart(2, "0");
    return [style, blend, `${strength}${marks}`, BigInt(ownerId).toString(36)].join(".");
  },
  read(id) {
    const [, style, blend, strength = "", marks, owner = ""] = WRITTEN.exec(id) ?? [];
    const intensity = Number.parseInt(strength, 36);
    return intensity >= 1 && intensity <= 100
      ? {
          style: style || undefined,
          blend: blend || undefined,
          intensity,
          isSpoiler: (Number(marks) & SPOILER) !== 0,
          wasAnimated: (Number(marks) & ANIMATED) !== 0,
          isPrivate: (Number(marks) & PRIVATE) !== 0,
          ownerId: String(parseBase36(owner)),
        }
      : undefined;
  },
};

export const restyleArgs = transformArgs(defineArgs({ a: written }), {
  write: (a: RestyleArgs) => ({ a }),
  read: ({ a }) => a,
});

/** A picture that stays where somebody sent it: the message, and which of its pictures, from 0. */
export interface SentPicture {
  readonly messageId: string;
  readonly index: number;
}

/** e.g. `bxq1tzsm9qt.0` */
const SENT = /^([\da-z]{1,13})\.(\d)$/;

const sentPicture: Arg<SentPicture> = {
  write: ({ messageId, index }) => `${BigInt(messageId).toString(36)}.${index}`,
  read(id) {
    const [, message, index] = SENT.exec(id) ?? [];
    return message === undefined
      ? undefined
      : { messageId: String(parseBase36(message)), index: Number(index) };
  },
};

/** Of a message that shows no picture itself. */
export const sentArgs = defineArgs({ restyle: ["a", written], picture: ["m", sentPicture] });

export function sentTarget(
  action: "sent" | "severalSent" | "which",
  given: ArgsOf<typeof sentArgs>,
): ComponentTarget {
  return { command: "style/choice", action, args: sentArgs.encode(given) };
}

/** Where a component goes. Two styles of 32 characters fit, where no style is to be chosen still. */
export function restyleTarget(action: RestyleAction, given: RestyleArgs): ComponentTarget {
  return { command: ACTIONS[action], action, args: restyleArgs.encode(given) };
}

export const workArgs = defineArgs({ workId: ["w", textLike(/^[0-9a-f]{12}$/)] });

export function cancelTarget(workId: string): ComponentTarget {
  return { command: "style/work", action: "cancel", args: workArgs.encode({ workId }) };
}

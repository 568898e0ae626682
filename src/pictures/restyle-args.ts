// The arguments of the buttons under a picture, short enough for a custom id and readable after a restart.
import {
  type Arg,
  type ArgsOf,
  defineArgs,
  textLike,
  transformArgs,
  type ComponentTarget,
  parseBase36,
} from "../core/component-id.ts";

/** Everything but the picture itself, which is in the message. */
export interface RestyleArgs {
  /** A style's id; `undefined` if none has been chosen yet. */
  readonly style: string | undefined;
  readonly blend: string | undefined;
  /** 1 to 100. */
  readonly intensity: number;
  readonly isSpoiler: boolean;
  /** Whether the original is the first frame of an animation. */
  readonly wasAnimated: boolean;
  readonly isPrivate: boolean;
  readonly ownerId: string;
}

/** The actions on a picture in the component's message, each with the command that handles it. */
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

/** e.g. `oil.mosaic.2s1.bxq1tzsm9qt`: both styles, then two digits of strength and one of flags, then the owner. */
const WRITTEN = /^([\w-]{0,32})\.([\w-]{0,32})\.([\da-z]{2})([0-7])\.([\da-z]{1,13})$/;

const written: Arg<RestyleArgs> = {
  write({ style = "", blend = "", intensity, isSpoiler, wasAnimated, isPrivate, ownerId }) {
    const flags = (isSpoiler ? SPOILER : 0) + (wasAnimated ? ANIMATED : 0) + (isPrivate ? PRIVATE : 0);
    const strength = intensity.toString(36).padStart(2, "0");
    return [style, blend, `${strength}${flags}`, BigInt(ownerId).toString(36)].join(".");
  },
  read(id) {
    const [, style, blend, strength = "", flags, owner = ""] = WRITTEN.exec(id) ?? [];
    const intensity = Number.parseInt(strength, 36);
    return intensity >= 1 && intensity <= 100
      ? {
          style: style || undefined,
          blend: blend || undefined,
          intensity,
          isSpoiler: (Number(flags) & SPOILER) !== 0,
          wasAnimated: (Number(flags) & ANIMATED) !== 0,
          isPrivate: (Number(flags) & PRIVATE) !== 0,
          ownerId: String(parseBase36(owner)),
        }
      : undefined;
  },
};

export const restyleArgs = transformArgs(defineArgs({ a: written }), {
  write: (a: RestyleArgs) => ({ a }),
  read: ({ a }) => a,
});

/** A picture that stays in its sender's message. `index` counts the pictures of that message from 0. */
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

/** The arguments of a component whose own message does not contain the picture. */
export const sentArgs = defineArgs({ restyle: ["a", written], picture: ["m", sentPicture] });

export function sentTarget(
  action: "sent" | "severalSent" | "which",
  given: ArgsOf<typeof sentArgs>,
): ComponentTarget {
  return { command: "style/choice", action, args: sentArgs.encode(given) };
}

/** Returns the target of a component. Two styles of 32 characters fit if both have been chosen. */
export function restyleTarget(action: RestyleAction, given: RestyleArgs): ComponentTarget {
  return { command: ACTIONS[action], action, args: restyleArgs.encode(given) };
}

export const workArgs = defineArgs({ workId: ["w", textLike(/^[0-9a-f]{12}$/)] });

export function cancelTarget(workId: string): ComponentTarget {
  return { command: "style/work", action: "cancel", args: workArgs.encode({ workId }) };
}

// Pictures that wait for a style: one to be restyled, or several of which one is to be chosen first.
import type { ContentBlock, Reply, Visibility } from "../core/reply.ts";
import type { Style } from "../services/restyle/catalogue.ts";
import type { Looked, ReadyPicture } from "../services/restyle/restyle.ts";
import { ACCENT } from "./accent.ts";
import { restyleTarget, type RestyleArgs } from "./restyle-args.ts";
import { pictureFile } from "./restyle-files.ts";
import { styleMenu, styleWordButton } from "./style-menu.ts";

/** What is known beside the picture. */
export interface StylePickerOptions {
  /** Without a style. */
  readonly args: RestyleArgs;
  /** What the picture shows, in the words of whoever sent it. */
  readonly description: string | undefined;
  readonly styles: readonly Style[];
  readonly visibility: Visibility;
}

/** Asks for the style of a picture, which the message carries from then on. */
export function stylePickerView(picture: ReadyPicture, options: StylePickerOptions): Reply {
  const { args, description, styles, visibility } = options;
  const original = pictureFile("original", picture, description);
  const blocks: ContentBlock[] = [
    {
      type: "text",
      text: "### Which style?\n-# The picture goes to the style service that this bot uses, without its file name or place.",
    },
    { type: "gallery", items: [{ file: original.name, spoiler: args.isSpoiler }] },
    ...styleMenu(styles, "Pick a style", args),
    {
      type: "buttons",
      buttons: [
        ...styleWordButton(styles, args),
        { type: "button", label: "Never mind", target: restyleTarget("delete", args) },
      ],
    },
  ];
  return { blocks: [{ type: "container", accent: ACCENT, blocks }], files: [original], visibility };
}

/** One of several pictures that somebody pointed at. */
export interface OfferedPicture extends Looked {
  readonly isSpoiler: boolean;
  readonly description: string | undefined;
}

/** Asks which of several pictures is meant; the message carries them all. */
export function whichPictureView(
  pictures: readonly OfferedPicture[],
  args: RestyleArgs,
  leftOut: number,
): Reply {
  const shown = pictures.map((picture, index) => {
    const { description, isSpoiler, wasAnimated } = picture;
    const number = index + 1;
    return {
      file: pictureFile(`picture-${number}`, picture, description),
      spoiler: isSpoiler,
      choice: {
        label: `Picture ${number}`,
        value: `${number}${wasAnimated ? ANIMATED_MARK : ""}`,
        ...(description !== undefined && !isSpoiler && { description }),
      },
    };
  });
  const note =
    leftOut === 0
      ? ""
      : `\n-# ${leftOut === 1 ? "One file is" : `${leftOut} files are`} not among them: I show ten at most, and only those that I can read.`;
  const blocks: ContentBlock[] = [
    { type: "text", text: `### Which picture?${note}` },
    { type: "gallery", items: shown.map(({ file, spoiler }) => ({ file: file.name, spoiler })) },
    {
      type: "select",
      target: restyleTarget("picture", args),
      placeholder: "Pick a picture",
      choices: shown.map(({ choice }) => choice),
    },
    {
      type: "buttons",
      buttons: [{ type: "button", label: "Never mind", target: restyleTarget("delete", args) }],
    },
  ];
  return { blocks: [{ type: "container", accent: ACCENT, blocks }], files: shown.map(({ file }) => file) };
}

const ANIMATED_MARK = "a";

/** Reads a choice among several pictures; `undefined` for none. */
export function parsePictureChoice(
  value: string,
): { readonly number: number; readonly wasAnimated: boolean } | undefined {
  const [, number, mark] = /^(\d{1,2})(a?)$/.exec(value) ?? [];
  return number === undefined ? undefined : { number: Number(number), wasAnimated: mark === ANIMATED_MARK };
}

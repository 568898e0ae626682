import type { ComponentTarget } from "../core/component-id.ts";
import {
  type ActionButton,
  CHOICES_LIMIT,
  type Modal,
  type Part,
  type Reply,
  type ReplyFile,
  type SelectBlock,
  type SelectChoice,
  type TextField,
  buttonTo,
  card,
  menu,
  privateCard,
} from "../core/reply.ts";
import type { Style } from "./catalogue.ts";
import { type RestyleArgs, type SentPicture, restyleTarget, sentTarget } from "./restyle-args.ts";
import type { Picture, PreparedPicture } from "../render/pictures.ts";

const WHICH_STYLE =
  "### Which style?\n-# Your picture is sent to the style service, without its file name or location.";

/** Attaches the picture, so that it stays in the message. `description` is the sender's alt text. */
export function stylePickerView(
  picture: Picture,
  args: RestyleArgs,
  description: string | undefined,
  styles: readonly Style[],
): Reply {
  const original = pictureFile("original", picture, description);
  const parts: Part[] = [
    besideOriginal(WHICH_STYLE, original, args.isSpoiler),
    firstStyleMenu(styles, restyleTarget("first", { ...args, style: undefined })),
    [
      styleWordButton(styles, restyleTarget("word", args)),
      compareButton(styles, restyleTarget("several", args)),
      buttonTo("Never mind", restyleTarget("delete", args)),
    ],
  ];
  return { ...privateCard(parts), files: [original] };
}

/** As {@link stylePickerView}, for a picture that stays in the message that it was sent with. */
export function sentPickerView(picture: SentPicture, args: RestyleArgs, styles: readonly Style[]): Reply {
  return card([
    WHICH_STYLE,
    firstStyleMenu(styles, sentTarget("sent", { restyle: args, picture })),
    [
      styleWordButton(styles, sentTarget("sent", { restyle: args, picture })),
      compareButton(styles, sentTarget("severalSent", { restyle: args, picture })),
      buttonTo("Never mind", restyleTarget("delete", args)),
    ],
  ]);
}

/** Asks which picture of a message is meant. `names` are its file names. */
export function whichSentView(messageId: string, names: readonly string[], args: RestyleArgs): Reply {
  return card([
    "### Which picture?",
    menu(
      sentTarget("which", { restyle: args, picture: { messageId, index: 0 } }),
      "Pick a picture…",
      names.map((name, index) => ({
        label: `Picture ${index + 1}`,
        value: String(index),
        description: name,
      })),
    ),
    [buttonTo("Never mind", restyleTarget("delete", args))],
  ]);
}

export interface OfferedPicture extends PreparedPicture {
  readonly isSpoiler: boolean;
  readonly description: string | undefined;
}

/** Attaches all the pictures and asks for one of them. `leftOut` is the number of files that are not shown. */
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
      : `\n-# ${leftOut === 1 ? "One file is" : `${leftOut} files are`} not shown: I show up to ten pictures, and only those I can read.`;
  const parts: Part[] = [
    `### Which picture?${note}`,
    { type: "gallery", items: shown.map(({ file, spoiler }) => ({ file: file.name, spoiler })) },
    menu(
      restyleTarget("picture", args),
      "Pick a picture…",
      shown.map(({ choice }) => choice),
    ),
    [buttonTo("Never mind", restyleTarget("delete", args))],
  ];
  return { ...privateCard(parts), files: shown.map(({ file }) => file) };
}

const ANIMATED_MARK = "a";

export function parsePictureChoice(
  value: string,
): { readonly number: number; readonly wasAnimated: boolean } | undefined {
  const [, number, mark] = /^(\d{1,2})(a?)$/.exec(value) ?? [];
  return number === undefined ? undefined : { number: Number(number), wasAnimated: mark === ANIMATED_MARK };
}

/** Each style costs a call of the service. */
export const MAX_COMPARED = 4;

export function otherStyleMenu(styles: readonly Style[], args: RestyleArgs): SelectBlock | undefined {
  const others = styles.filter(({ id }) => id !== args.style);
  return menu(restyleTarget("pick", { ...args, style: undefined }), "Another style…", choicesOf(others));
}

function firstStyleMenu(styles: readonly Style[], target: ComponentTarget): SelectBlock | undefined {
  return menu(target, "Pick a style…", choicesOf(styles));
}

function compareButton(styles: readonly Style[], target: ComponentTarget): ActionButton | undefined {
  return styles.length < 2 ? undefined : buttonTo("Compare several", target);
}

export function compareForm(styles: readonly Style[], target: ComponentTarget): Modal {
  return {
    type: "modal",
    target,
    title: "Compare styles",
    fields: [
      {
        type: "choice",
        name: "styles",
        label: `Up to ${MAX_COMPARED} styles`,
        choices: choicesOf(styles),
        max: MAX_COMPARED,
      },
    ],
  };
}

function choicesOf(styles: readonly Style[]): readonly SelectChoice[] {
  return styles.map(styleChoice).slice(0, CHOICES_LIMIT);
}

export function styleChoice({ id, label, description }: Style): SelectChoice {
  return { value: id, label, description };
}

/** A button that asks for a style's name; `undefined` if the menu shows every style. */
export function styleWordButton(styles: readonly Style[], target: ComponentTarget): ActionButton | undefined {
  return styles.length > 0 && styles.length <= CHOICES_LIMIT ? undefined : buttonTo("Type a style", target);
}

export function styleWordForm(styles: readonly Style[], target: ComponentTarget): Modal {
  return { type: "modal", target, title: "Pick a style", fields: [styleField(styles)] };
}

export function styleField([example]: readonly Style[]): TextField {
  return {
    type: "text",
    name: "style",
    label: "Style",
    lines: "one",
    description: example ? "Any name that /styles shows" : "One word that the style service knows",
    placeholder: example?.label ?? "cartoon",
    maxLength: 80,
  };
}

/** The role of a picture in a message; `restyled-oil` is one of several results, `picture-2` one to choose from. */
export type PictureRole = "original" | "restyled" | `restyled-${string}` | `picture-${number}`;

const UNDESCRIBED = "The original picture";

/** The file of a picture. `description` is the sender's alt text, if any. */
export function pictureFile(role: PictureRole, picture: Picture, description = UNDESCRIBED): ReplyFile {
  return { name: `${role}.${extensionOf(picture)}`, bytes: picture.bytes, description };
}

export function besideOriginal(text: string, { name: file, description }: ReplyFile, spoiler: boolean): Part {
  return { type: "section", texts: [text], accessory: { type: "thumbnail", file, description, spoiler } };
}

export function extensionOf({ contentType }: Pick<Picture, "contentType">): string {
  return contentType.replace("image/", "").replace("jpeg", "jpg");
}

/** The sender's alt text, also for a picture in one of the bot's messages; `undefined` if there is none. */
export function descriptionBySender({
  description,
}: {
  readonly description: string | undefined;
}): string | undefined {
  return description === UNDESCRIBED ? undefined : description;
}

export function findPicture<M extends { readonly name: string }>(
  media: readonly M[],
  role: PictureRole,
): M | undefined {
  return media.find(({ name }) => name.replace(/\.\w+$/, "") === role);
}

const KNOWN_ENDINGS = /\.(?:jpe?g|jfif|png|gif|webp|avif|heic|heif|svg)$/i;

/** Whether a file claims to be a picture. HEIC and drawings count too, and are refused later. */
export function isPictureName({
  name,
  contentType,
}: {
  readonly name: string;
  readonly contentType: string | undefined;
}): boolean {
  return contentType?.startsWith("image/") === true || KNOWN_ENDINGS.test(name);
}

/** The size limit of each of `count` pictures in a message. Discord accepts 25 MiB in a request. */
export function picturesLimit(fileLimitBytes: number, count: number): number {
  return Math.min(fileLimitBytes, Math.floor(24_000_000 / Math.max(2, count)));
}

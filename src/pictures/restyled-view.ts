import { formatSize, joinDots, joinLines, listAnd } from "../core/text.ts";
import {
  buttonTo,
  type ActionButton,
  type Part,
  type Row,
  type Reply,
  type Visibility,
  escapeMarkdown,
  card,
  plainReply,
} from "../core/reply.ts";
import type { RestyleProgress, Restyled } from "./restyle.ts";
import { type RestyleAction, type RestyleArgs, restyleTarget } from "./restyle-args.ts";
import type { Style } from "./catalogue.ts";
import { besideOriginal, otherStyleMenu, pictureFile, styleWordButton } from "./style-picker-view.ts";
import type { Picture } from "../render/pictures.ts";

const THIRD_PARTY = "-# Your picture was sent to the style service, without its file name or location.";

const STEP = 20;
const WEAKEST = 10;

interface RestyledViewOptions {
  readonly args: RestyleArgs;
  /** The sender's alt text for the original. */
  readonly description: string | undefined;
  readonly styles: readonly Style[];
  readonly visibility: Visibility;
}

export function restyledView(restyled: Restyled, options: RestyledViewOptions): Reply {
  const { description, styles, visibility } = options;
  const { style, blend, before, after } = restyled;
  const args = { ...options.args, style: style.id, blend: blend?.id };
  const name = blend ? `${style.label} and ${blend.label}` : style.label;
  const original = pictureFile("original", before, description);
  const result = pictureFile("restyled", after, altText(name, description));
  const spoiler = args.isSpoiler;
  const about = [style.description, blend?.description];
  const parts: Part[] = [
    // The original is a thumbnail beside the text, so that the result below gets the full width.
    besideOriginal(
      joinLines(`### ${escapeMarkdown(name)}`, ...about.map((line) => line && `-# ${escapeMarkdown(line)}`)),
      original,
      spoiler,
    ),
    { type: "gallery", items: [{ file: result.name, spoiler }] },
    [factsOf(restyled, args), THIRD_PARTY].join("\n"),
    buttonsOf(args, styles),
    otherStyleMenu(styles, { ...args, blend: undefined }),
  ];
  return { ...card(parts), files: [original, result], visibility };
}

export function severalRestyledView(
  made: readonly [Restyled, ...Restyled[]],
  failed: readonly Style[],
  { args, description, visibility }: RestyledViewOptions,
): Reply {
  const [first] = made;
  const spoiler = args.isSpoiler;
  const files = made.map(({ style, after }) =>
    pictureFile(`restyled-${style.id}`, after, altText(style.label, description)),
  );
  const original = pictureFile("original", first.before, description);
  const heading = `### ${made.map(({ style }) => escapeMarkdown(style.label)).join(" · ")}`;
  const hint = "-# Open a picture to see all of it. Press a name to keep that one.";
  const parts: Part[] = [
    besideOriginal(joinLines(heading, hint), original, spoiler),
    { type: "gallery", items: files.map(({ name }) => ({ file: name, spoiler })) },
    joinLines(
      failed.length > 0 &&
        `-# Missing this time: ${escapeMarkdown(listAnd(failed.map(({ label }) => label)))}.`,
      THIRD_PARTY,
    ),
    made.map(({ style }) =>
      buttonTo(style.label, restyleTarget("keep", { ...args, style: style.id, blend: undefined })),
    ),
    [buttonTo("Delete", restyleTarget("delete", args), { style: "danger" })],
  ];
  return { ...card(parts), files: [original, ...files], visibility };
}

function altText(style: string, description: string | undefined): string {
  return description === undefined
    ? `The picture in the style ${style}`
    : `In the style ${style}: ${description}`;
}

function factsOf(
  { intensity, intensityBy, blendBy, wasReduced, isFitted }: Restyled,
  { wasAnimated }: RestyleArgs,
): string {
  return joinDots(
    `Strength ${intensity}%`,
    intensityBy === "bot" && "blended with the original by the bot",
    blendBy === "bot" && "two styles, blended half and half by the bot",
    blendBy === "service" && "two styles, mixed by the style service",
    wasAnimated && "the first frame of an animation",
    wasReduced && "made smaller for the style service",
    isFitted && "result made smaller",
  );
}

function buttonsOf(args: RestyleArgs, styles: readonly Style[]): Row {
  const { intensity } = args;
  const button = (label: string, action: RestyleAction, changed = args): ActionButton =>
    buttonTo(label, restyleTarget(action, changed));
  const strength = (label: string, to: number): ActionButton => ({
    ...button(label, "again", { ...args, intensity: to }),
    disabled: to === intensity,
  });
  return [
    strength("Weaker", Math.min(intensity, Math.max(WEAKEST, intensity - STEP))),
    strength("Stronger", Math.min(100, intensity + STEP)),
    button("High resolution", "full"),
    // As in the menu, another style replaces both styles.
    styleWordButton(styles, restyleTarget("word", { ...args, blend: undefined })),
    { ...button("Delete", "delete"), style: "danger" },
  ];
}

export function restyleProgressText(state: RestyleProgress): string {
  switch (state.stage) {
    case "waiting":
      return state.position === 1
        ? "Your picture is next: I'll start on it as soon as a picture ahead of it is done."
        : `Your picture is number ${state.position} in the queue.`;
    case "preparing":
      return "Getting your picture ready…";
    case "restyling": {
      const { part, parts, share, position } = state;
      const what =
        parts === 1 ? "Restyling your picture" : `Restyling your picture, style ${part} of ${parts}`;
      const line = position === undefined || position < 1 ? "" : `, ${position} ahead of you`;
      return share === undefined ? `${what}${line}…` : `${what}${line}: ${Math.floor(share * 100)}%`;
    }
  }
}

export function downloadView(
  picture: Picture,
  { description, isSpoiler }: { readonly description: string | undefined; readonly isSpoiler: boolean },
): Reply {
  const file = pictureFile("restyled", picture, description ?? "The restyled picture");
  const { width, height, bytes } = picture;
  const size = `${width.toLocaleString("en-GB")} × ${height.toLocaleString("en-GB")} pixels`;
  return {
    ...plainReply(
      [
        `As a file: ${size}, ${formatSize(bytes.byteLength)}.`,
        { type: "file", file: file.name, spoiler: isSpoiler },
      ],
      "private",
    ),
    files: [file],
  };
}

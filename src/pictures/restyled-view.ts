// A picture before and after, with what can be done next.
import { formatSize, joinDots } from "../core/text.ts";
import {
  buttonTo,
  type ActionButton,
  type Part,
  type Reply,
  escapeMarkdown,
  card,
  plainReply,
} from "../core/reply.ts";
import type { RestyleProgress, Restyled } from "./restyle.ts";
import { type RestyleAction, type RestyleArgs, restyleTarget } from "./restyle-args.ts";
import type { Style } from "./catalogue.ts";
import { type StyleViewOptions, pictureFile } from "./style-picker-view.ts";
import { styleMenu, styleWordButton } from "./style-menu-view.ts";
import type { Picture } from "../render/pictures.ts";

/** Who else gets a member's picture, in the small print. */
const THIRD_PARTY =
  "-# The picture went to the style service that this bot uses, without its file name or place.";

/** A press of Weaker or Stronger. */
const STEP = 20;
const WEAKEST = 10;

export function restyledView(restyled: Restyled, options: StyleViewOptions): Reply {
  const { description, styles, visibility } = options;
  const { style, blend, before, after } = restyled;
  const args = { ...options.args, style: style.id, blend: blend?.id };
  const name = blend ? `${style.label} and ${blend.label}` : style.label;
  const original = pictureFile("original", before, description);
  const made =
    description === undefined ? `The picture in the style ${name}` : `In the style ${name}: ${description}`;
  const result = pictureFile("restyled", after, made);
  const spoiler = args.isSpoiler;
  const about = [style, ...(blend ? [blend] : [])].map((each) => each.description).filter(Boolean);
  const parts: Part[] = [
    [`### ${escapeMarkdown(name)}`, ...about.map((line) => `-# ${escapeMarkdown(line)}`)].join("\n"),
    {
      type: "gallery",
      items: [
        { file: original.name, spoiler },
        { file: result.name, spoiler },
      ],
    },
    [factsOf(restyled, args), THIRD_PARTY].join("\n"),
    buttonsOf(args, styles),
    styleMenu(styles, "Another style", { ...args, blend: undefined }),
  ];
  return { ...card(parts), files: [original, result], visibility };
}

function factsOf(
  { intensity, intensityBy, blendBy, wasReduced, isFitted }: Restyled,
  { wasAnimated }: RestyleArgs,
): string {
  return joinDots(
    `Strength ${intensity} %`,
    intensityBy === "bot" && "blended here from the original and the service's picture",
    blendBy === "bot" && "two pictures of the service, blended here half and half",
    blendBy === "service" && "both styles mixed by the service",
    wasAnimated && "the first frame of an animation",
    wasReduced && "made smaller for the service",
    isFitted && "made smaller to be sent here",
  );
}

function buttonsOf(args: RestyleArgs, styles: readonly Style[]): readonly ActionButton[] {
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
    // As in the menu, another style takes the place of both.
    ...styleWordButton(styles, { ...args, blend: undefined }),
    { ...button("Delete", "delete"), style: "danger" },
  ];
}

/** How far a picture is, in words for the person who waits for it. */
export function restyleProgressText(state: RestyleProgress): string {
  switch (state.stage) {
    case "waiting":
      return state.position === 1
        ? "Your picture is next in line."
        : `Your picture is number ${state.position} in line.`;
    case "preparing":
      return "Getting your picture ready…";
    case "restyling": {
      const { part, parts, share, position } = state;
      const what =
        parts === 1
          ? "The picture service is at work"
          : `The picture service is at work on style ${part} of ${parts}`;
      const line = position === undefined || position < 1 ? "" : `, with ${position} before yours`;
      return share === undefined ? `${what}${line}…` : `${what}${line}: ${Math.floor(share * 100)} %`;
    }
  }
}

/** A restyled picture as a file to keep, for the person who asked alone. */
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

import { defineArgs, optional, textLike } from "../core/component-args.ts";
import { joinLines, listAnd } from "../core/text.ts";
import { buttonTo, menu, type ActionButton, type Modal, type Part, type Reply, card } from "../core/reply.ts";
import { pageArgs } from "../core/pages.ts";
import { SAMPLE_PICTURE_DESCRIPTION } from "../render/sample-picture.ts";
import type { Style } from "./catalogue.ts";
import type { GalleryPage } from "./gallery.ts";
import { extensionOf, styleChoice, styleField } from "./style-picker-view.ts";
import { STYLE_WORD } from "./suggest-styles.ts";

export function stylesView({ number, pages, styles, sheet, missing }: GalleryPage): Reply {
  if (styles.length === 0) {
    const target = { command: "styles", action: "try", args: pageArgs.encode({ page: 0 }) };
    return card([
      "### Styles\nThere's no list of styles here. Type any word the style service knows, such as cartoon.",
      [buttonTo("Try one", target, { style: "primary" })],
    ]);
  }
  const names = listAnd(styles.map(({ label }) => label));
  const file = sheet && {
    name: `styles.${extensionOf(sheet)}`,
    bytes: sheet.bytes,
    description: `${SAMPLE_PICTURE_DESCRIPTION} in the styles ${names}`.slice(0, 1_000),
  };
  const parts: Part[] = [
    pages === 1 ? "### Styles" : `### Styles, page ${number + 1} of ${pages}`,
    file,
    joinLines(
      missing > 0 &&
        `-# ${missing === 1 ? "One is" : `${missing} are`} missing from the picture: the style service couldn't make ${missing === 1 ? "it" : "them"} this time. You can still use ${missing === 1 ? "it" : "them"}.`,
    ),
    menu({ command: "styles", action: "try" }, "Try one with your own picture…", styles.map(styleChoice)),
    [number > 0 && pageButton("Back", number - 1), number < pages - 1 && pageButton("More", number + 1)],
  ];
  return card(parts);
}

function pageButton(label: string, to: number): ActionButton {
  return buttonTo(label, { command: "styles", action: "page", args: pageArgs.encode({ page: to }) });
}

export const tryArgs = defineArgs({ style: ["s", optional(textLike(STYLE_WORD))] });

export function tryStyleForm(style: Style | undefined): Modal {
  return {
    type: "modal",
    target: {
      command: "styles",
      action: "try",
      ...(style && { args: tryArgs.encode({ style: style.id }) }),
    },
    title: style ? `Try ${style.label}` : "Try a style",
    fields: [
      {
        type: "upload",
        name: "picture",
        label: "Your picture",
        description: "It's sent to the style service",
      },
      ...(style ? [] : [styleField([])]),
    ],
  };
}

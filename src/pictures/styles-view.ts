import { defineArgs, optional, textLike } from "../core/component-id.ts";
import { listAnd } from "../core/text.ts";
import { buttonTo, menu, type ActionButton, type Modal, type Part, type Reply, card } from "../core/reply.ts";
import { pageArgs } from "../core/pages.ts";
import { SAMPLE_PICTURE_DESCRIPTION, type GalleryPage } from "./gallery.ts";
import { type Style, STYLE_WORD } from "./catalogue.ts";
import { extensionOf, styleChoice, styleField } from "./style-picker-view.ts";

export function stylesView(page: GalleryPage): Reply {
  const { number, pages, styles, sheet, missing } = page;
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
    description: `${SAMPLE_PICTURE_DESCRIPTION}, in the styles ${names}`.slice(0, 1_000),
  };
  const parts: Part[] = [
    pages === 1 ? "### Styles" : `### Styles, page ${number + 1} of ${pages}`,
    file,
    missing > 0 && `-# ${missingWords(page)}`,
    menu({ command: "styles", action: "try" }, "Try one with your own picture…", styles.map(styleChoice)),
    [number > 0 && pageButton("Back", number - 1), number < pages - 1 && pageButton("More", number + 1)],
  ];
  return card(parts);
}

function missingWords({ missing, isBudgetSpent }: GalleryPage): string {
  const [are, them] = missing === 1 ? ["One is", "it"] : [`${missing} are`, "them"];
  const why = isBudgetSpent
    ? "I can't make any more right now. Please look again later."
    : `the style service couldn't make ${them} this time. You can still use ${them}.`;
  return `${are} missing from the picture: ${why}`;
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

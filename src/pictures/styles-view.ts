// What the styles look like.
import { joinLines } from "../core/text.ts";
import {
  buttonTo,
  type ActionButton,
  type Part,
  type Modal,
  type ModalField,
  type Reply,
  escapeMarkdown,
  card,
} from "../core/reply.ts";
import { pageArgs } from "../core/pages.ts";
import { SAMPLE_PICTURE_DESCRIPTION } from "../render/sample-picture.ts";
import type { Style } from "./catalogue.ts";
import type { GalleryEntry, GalleryPage } from "./gallery.ts";
import { extensionOf } from "./style-picker-view.ts";
import { styleChoice } from "./style-menu-view.ts";

/** Shows a page of previews with their names below, in the same order. */
export function stylesView({ number, pages, entries }: GalleryPage): Reply {
  if (entries.length === 0) {
    return card([
      "### Styles\nI have no list of them here: type any one word that the style service knows, such as cartoon.",
      [tryButton(0)],
    ]);
  }
  const shown = entries.flatMap(({ style, preview }) =>
    preview
      ? [
          {
            name: `${style.id}.${extensionOf(preview)}`,
            bytes: preview.bytes,
            description: `${style.label}: ${SAMPLE_PICTURE_DESCRIPTION}`,
          },
        ]
      : [],
  );
  const missing = entries.length - shown.length;
  const parts: Part[] = [
    pages === 1 ? "### Styles" : `### Styles, page ${number + 1} of ${pages}`,
    { type: "gallery", items: shown.map(({ name }) => ({ file: name })) },
    listOf(entries),
    joinLines(
      shown.length > 0 && "-# The style service made the pictures from one of this bot's own.",
      missing > 0 &&
        `-# ${missing === 1 ? "One picture is" : `${missing} pictures are`} missing: the service could not make ${missing === 1 ? "it" : "them"} just now. The styles can be used all the same.`,
    ),
    [
      tryButton(number),
      number > 0 && pageButton("Back", number - 1),
      number < pages - 1 && pageButton("More", number + 1),
    ],
  ];
  return { ...card(parts), files: shown };
}

/** Numbers count the pictures, so a style without one has none. */
function listOf(entries: readonly GalleryEntry[]): string {
  let count = 0;
  const lines = entries.map(({ style, preview }, index) => {
    const mark = preview ? `${(count += 1)}\\. ` : "· ";
    const { group, label, description } = style;
    const heading =
      group !== undefined && group !== entries[index - 1]?.style.group
        ? `**${escapeMarkdown(group)}**\n`
        : "";
    return `${heading}${mark}${escapeMarkdown(label)}${description === "" ? "" : ` · ${escapeMarkdown(description)}`}`;
  });
  return lines.join("\n");
}

function tryButton(page: number): ActionButton {
  return buttonTo(
    "Try one",
    { command: "styles", action: "try", args: pageArgs.encode({ page }) },
    { style: "primary" },
  );
}

function pageButton(label: string, to: number): ActionButton {
  return buttonTo(label, { command: "styles", action: "page", args: pageArgs.encode({ page: to }) });
}

/** Asks for a picture and one of these styles, or for any word without them. */
export function tryStyleForm(styles: readonly Style[]): Modal {
  const style: ModalField =
    styles.length === 0
      ? {
          type: "text",
          name: "style",
          label: "Style",
          lines: "one",
          description: "One word that the style service knows",
          placeholder: "cartoon",
          maxLength: 40,
        }
      : { type: "choice", name: "style", label: "Style", choices: styles.map(styleChoice) };
  return {
    type: "modal",
    target: { command: "styles", action: "try" },
    title: "Try a style",
    fields: [
      {
        type: "upload",
        name: "picture",
        label: "Your picture",
        description: "It is sent to the style service that this bot uses",
      },
      style,
    ],
  };
}

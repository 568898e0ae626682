// Blocks of a reply as Discord's components, within what one message may hold.
// https://discord.com/developers/docs/components/reference
import { ButtonStyle, ComponentType } from "discord.js";
import {
  ALT_TEXT_LIMIT,
  type Block,
  type Button,
  type ButtonsBlock,
  type ContentBlock,
  type FileBlock,
  type GalleryBlock,
  type SectionBlock,
  type SelectBlock,
} from "../core/reply.ts";
import { cutLine, cutText } from "../core/text.ts";
import type { SendableFile } from "./reply-files.ts";
import {
  CHOICES_LIMIT,
  type MessageRoom,
  type WireComponent,
  describe,
  formatOptions,
  reserveCustomId,
  take,
  usableChoices,
} from "./components.ts";

const GALLERY_LIMIT = 10;
const SECTION_TEXTS_LIMIT = 3;

export function formatBlocks(blocks: readonly Block[], room: MessageRoom): readonly WireComponent[] {
  return blocks.flatMap((block) => {
    if (block.type !== "container") {
      return formatContent(block, room);
    }
    // A container without anything in it is refused, so it needs room for two.
    if (!take(room, 1, 1)) {
      return [];
    }
    const components = block.blocks.flatMap((inner) => formatContent(inner, room));
    if (components.length === 0) {
      room.components += 1;
      return [];
    }
    return [
      {
        type: ComponentType.Container,
        components,
        ...(block.accent === undefined
          ? {}
          : { accent_color: Math.min(0xffffff, Math.max(0, Math.trunc(block.accent))) }),
      },
    ];
  });
}

/** A text as a component; none when there is nothing to read in it. */
export function formatText(text: string, room: MessageRoom): readonly WireComponent[] {
  const content = cutText(text.trim(), room.textLimit);
  return content.trim() === "" || !take(room, 1) ? [] : [{ type: ComponentType.TextDisplay, content }];
}

function formatContent(block: ContentBlock, room: MessageRoom): readonly WireComponent[] {
  switch (block.type) {
    case "text":
      return formatText(block.text, room);
    case "section":
      return formatSection(block, room);
    case "gallery":
      return formatGallery(block, room);
    case "file":
      return formatFile(block, room);
    case "separator":
      return take(room, 1) ? [{ type: ComponentType.Separator }] : [];
    case "buttons":
      return formatButtons(block, room);
    case "select":
      return formatSelect(block, room);
  }
}

function formatSection(block: SectionBlock, room: MessageRoom): readonly WireComponent[] {
  const texts = sectionTexts(block);
  const { accessory } = block;
  const picture = accessory.type === "thumbnail" ? room.files.get(accessory.file) : undefined;
  const beside =
    accessory.type === "thumbnail"
      ? picture && {
          type: ComponentType.Thumbnail,
          media: { url: `attachment://${picture.name}` },
          ...describe(cutText(accessory.description, ALT_TEXT_LIMIT)),
          ...(accessory.spoiler ? { spoiler: true } : {}),
        }
      : formatButton(accessory, room);
  if (beside === undefined || room.textLimit < 1) {
    return texts.flatMap((text) => formatText(text, room));
  }
  if (texts.length === 0 || !take(room, 2, texts.length)) {
    return texts.length === 0 && accessory.type !== "thumbnail" && take(room, 2)
      ? [{ type: ComponentType.ActionRow, components: [beside] }]
      : [];
  }
  if (picture) {
    room.shown.add(picture);
  }
  return [
    {
      type: ComponentType.Section,
      components: texts.flatMap((text) => formatText(text, room)),
      accessory: beside,
    },
  ];
}

/** What there is to read in a section; texts beyond the third are part of it. */
export function sectionTexts({ texts }: SectionBlock): readonly string[] {
  const spare = texts.slice(SECTION_TEXTS_LIMIT - 1).join("\n");
  return [...texts.slice(0, SECTION_TEXTS_LIMIT - 1), spare].filter((text) => text.trim() !== "");
}

interface ShownItem {
  /** `undefined` for what stands elsewhere. */
  readonly file: SendableFile | undefined;
  readonly url: string;
  readonly description: string;
  readonly spoiler: boolean;
}

function formatGallery(block: GalleryBlock, room: MessageRoom): readonly WireComponent[] {
  const items = block.items.flatMap((item): readonly ShownItem[] => {
    if ("url" in item) {
      const description = cutText(item.description, ALT_TEXT_LIMIT);
      return [{ file: undefined, url: item.url, description, spoiler: false }];
    }
    const file = room.files.get(item.file);
    return file === undefined
      ? []
      : [
          {
            file,
            url: `attachment://${file.name}`,
            description: file.description,
            spoiler: item.spoiler ?? false,
          },
        ];
  });
  room.overflowed ||= items.length > GALLERY_LIMIT;
  if (items.length === 0 || !take(room, 1)) {
    return [];
  }
  return [
    {
      type: ComponentType.MediaGallery,
      items: items.slice(0, GALLERY_LIMIT).map(({ file, url, description, spoiler }) => {
        if (file !== undefined) {
          room.shown.add(file);
        }
        return { media: { url }, ...describe(description), ...(spoiler ? { spoiler } : {}) };
      }),
    },
  ];
}

function formatFile(block: FileBlock, room: MessageRoom): readonly WireComponent[] {
  const file = room.files.get(block.file);
  if (!file || !take(room, 1)) {
    return [];
  }
  room.shown.add(file);
  return [
    {
      type: ComponentType.File,
      file: { url: `attachment://${file.name}` },
      ...(block.spoiler ? { spoiler: true } : {}),
    },
  ];
}

const ROW_LIMIT = 5;
const LABEL_LIMIT = 80;
const URL_LIMIT = 512;
const PLACEHOLDER_LIMIT = 150;
const EMOJI_LIMIT = 32;

/** Rows of up to five buttons. */
function formatButtons(block: ButtonsBlock, room: MessageRoom): readonly WireComponent[] {
  const rows: WireComponent[] = [];
  for (let start = 0; start < block.buttons.length; start += ROW_LIMIT) {
    if (!take(room, 1, 1)) {
      break;
    }
    const components = block.buttons.slice(start, start + ROW_LIMIT).flatMap((button) => {
      const made = formatButton(button, room);
      return made && take(room, 1) ? [made] : [];
    });
    if (components.length === 0) {
      room.components += 1;
    } else {
      rows.push({ type: ComponentType.ActionRow, components });
    }
  }
  return rows;
}

const STYLES = {
  primary: ButtonStyle.Primary,
  secondary: ButtonStyle.Secondary,
  success: ButtonStyle.Success,
  danger: ButtonStyle.Danger,
} as const;

function formatButton(button: Button, room: MessageRoom): WireComponent | undefined {
  const label = cutLine(button.label, LABEL_LIMIT);
  if (button.type === "link") {
    if (button.url.length > URL_LIMIT || !/^https?:\/\//.test(button.url) || !URL.canParse(button.url)) {
      room.refused.push(`link ${label}`);
      return undefined;
    }
    return { type: ComponentType.Button, style: ButtonStyle.Link, label: label || "Open", url: button.url };
  }
  const customId = reserveCustomId(button.target, room);
  if (customId === undefined) {
    return undefined;
  }
  const emoji = button.emoji && button.emoji.length <= EMOJI_LIMIT ? button.emoji : undefined;
  return {
    type: ComponentType.Button,
    style: STYLES[button.style ?? "secondary"],
    custom_id: customId,
    ...(label === "" && emoji !== undefined ? {} : { label: label || "…" }),
    ...(emoji === undefined ? {} : { emoji: { name: emoji } }),
    ...(button.disabled ? { disabled: true } : {}),
  };
}

/** A menu of up to 25 choices, none twice. */
function formatSelect(block: SelectBlock, room: MessageRoom): readonly WireComponent[] {
  const choices = usableChoices(block.choices);
  room.overflowed ||= choices.length > CHOICES_LIMIT;
  const offered = choices.slice(0, CHOICES_LIMIT);
  const max = Math.min(offered.length, Math.max(1, Math.trunc(block.max ?? 1)));
  const min = Math.min(max, Math.max(0, Math.trunc(block.min ?? 1)));
  const customId = offered.length === 0 ? undefined : reserveCustomId(block.target, room);
  if (customId === undefined || !take(room, 2)) {
    return [];
  }
  const placeholder = cutLine(block.placeholder, PLACEHOLDER_LIMIT);
  return [
    {
      type: ComponentType.ActionRow,
      components: [
        {
          type: ComponentType.StringSelect,
          custom_id: customId,
          options: formatOptions(offered, max),
          min_values: min,
          max_values: max,
          ...(placeholder === "" ? {} : { placeholder }),
        },
      ],
    },
  ];
}

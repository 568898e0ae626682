// Blocks of a reply as Discord's components, within what one message may hold.
// https://discord.com/developers/docs/components/reference
import { ComponentType } from "discord.js";
import type { Block, ContentBlock, FileBlock, GalleryBlock, SectionBlock } from "../core/reply.ts";
import { cutText } from "../core/cut-text.ts";
import { describe, take, type MessageRoom, type WireComponent } from "./message-room.ts";
import { formatButton, formatButtons, formatSelect } from "./reply-controls.ts";

const GALLERY_LIMIT = 10;
const SECTION_TEXTS_LIMIT = 3;
const ALT_TEXT_LIMIT = 1_024;

/** Builds what fits of the blocks, in their order. */
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

function formatGallery(block: GalleryBlock, room: MessageRoom): readonly WireComponent[] {
  const items = block.items.flatMap((item) => {
    const file = room.files.get(item.file);
    return file ? [{ file, spoiler: item.spoiler ?? false }] : [];
  });
  room.overflowed ||= items.length > GALLERY_LIMIT;
  if (items.length === 0 || !take(room, 1)) {
    return [];
  }
  return [
    {
      type: ComponentType.MediaGallery,
      items: items.slice(0, GALLERY_LIMIT).map(({ file, spoiler }) => {
        room.shown.add(file);
        return {
          media: { url: `attachment://${file.name}` },
          ...describe(file.description),
          ...(spoiler ? { spoiler } : {}),
        };
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

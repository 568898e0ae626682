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
import { type ComponentTarget, formatComponentId } from "../core/component-id.ts";
import { cutLine, cutText } from "../core/text.ts";
import { chunk } from "../core/pages.ts";
import type { SendableFile } from "./reply-files.ts";
import { type WireComponent, clamp, countComponents, formatChoices, unlessBlank } from "./components.ts";

const GALLERY_LIMIT = 10;
const SECTION_TEXTS_LIMIT = 3;

export interface MessageDraft {
  readonly textLimit: number;
  readonly files: ReadonlyMap<string, SendableFile>;
  /** The files that a component shows. */
  readonly shown: Set<SendableFile>;
  readonly customIds: Set<string>;
  overflowed: boolean;
  readonly refused: string[];
}

export function formatBlocks(blocks: readonly Block[], draft: MessageDraft): readonly WireComponent[] {
  return blocks.flatMap((block) => {
    if (block.type !== "container") {
      return formatContent(block, draft);
    }
    const components = block.blocks.flatMap((inner) => formatContent(inner, draft));
    const accent_color = block.accent === undefined ? undefined : clamp(block.accent, 0, 0xffffff);
    return components.length === 0 ? [] : [{ type: ComponentType.Container, components, accent_color }];
  });
}

const DIVISIBLE: ReadonlySet<ComponentType> = new Set([ComponentType.Container, ComponentType.ActionRow]);

/** Keeps as many components as fit in `limit`. Containers and rows may lose some of theirs, but are never empty. */
export function fitComponents(components: readonly WireComponent[], limit: number): readonly WireComponent[] {
  let left = limit;
  return components.flatMap((component): readonly WireComponent[] => {
    const inner =
      DIVISIBLE.has(component.type) && left > 0 ? fitComponents(component.components ?? [], left - 1) : [];
    const fitting = inner.length > 0 ? { ...component, components: inner } : component;
    const size = countComponents([fitting]);
    if (size > left) {
      return [];
    }
    left -= size;
    return [fitting];
  });
}

export function formatText(text: string, limit: number): readonly WireComponent[] {
  const content = cutText(text.trim(), limit);
  return content.trim() === "" ? [] : [{ type: ComponentType.TextDisplay, content }];
}

function formatContent(block: ContentBlock, draft: MessageDraft): readonly WireComponent[] {
  switch (block.type) {
    case "text":
      return formatText(block.text, draft.textLimit);
    case "section":
      return formatSection(block, draft);
    case "gallery":
      return formatGallery(block, draft);
    case "file":
      return formatFile(block, draft);
    case "separator":
      return [{ type: ComponentType.Separator }];
    case "buttons":
      return formatButtons(block, draft);
    case "select":
      return formatSelect(block, draft);
  }
}

function formatSection(block: SectionBlock, draft: MessageDraft): readonly WireComponent[] {
  const texts = sectionTexts(block).flatMap((text) => formatText(text, draft.textLimit));
  const { accessory } = block;
  if (accessory.type !== "thumbnail") {
    const button = formatButton(accessory, draft);
    return button && texts.length === 0 ? [formatRow([button])] : formatBeside(texts, button);
  }
  const file = draft.files.get(accessory.file);
  if (!file || texts.length === 0) {
    return texts;
  }
  return formatBeside(texts, {
    type: ComponentType.Thumbnail,
    media: show(file, draft),
    description: unlessBlank(cutText(accessory.description, ALT_TEXT_LIMIT)),
    spoiler: accessory.spoiler || undefined,
  });
}

function formatBeside(
  texts: readonly WireComponent[],
  accessory: WireComponent | undefined,
): readonly WireComponent[] {
  return accessory ? [{ type: ComponentType.Section, components: texts, accessory }] : texts;
}

/** The texts of a section that are not blank. The third includes all further ones. */
export function sectionTexts({ texts }: SectionBlock): readonly string[] {
  const spare = texts.slice(SECTION_TEXTS_LIMIT - 1).join("\n");
  return [...texts.slice(0, SECTION_TEXTS_LIMIT - 1), spare].filter((text) => text.trim() !== "");
}

function show(file: SendableFile, { shown }: MessageDraft): { readonly url: string } {
  shown.add(file);
  return { url: linkTo(file) };
}

export function linkTo({ name }: SendableFile): string {
  return `attachment://${name}`;
}

function formatGallery(block: GalleryBlock, draft: MessageDraft): readonly WireComponent[] {
  const there = block.items.filter((item) => "url" in item || draft.files.has(item.file));
  draft.overflowed ||= there.length > GALLERY_LIMIT;
  const items = there.slice(0, GALLERY_LIMIT).flatMap((item): readonly object[] => {
    if ("url" in item) {
      const description = unlessBlank(cutText(item.description, ALT_TEXT_LIMIT));
      return [{ media: { url: item.url }, description }];
    }
    const file = draft.files.get(item.file);
    const spoiler = item.spoiler || undefined;
    return file ? [{ media: show(file, draft), description: unlessBlank(file.description), spoiler }] : [];
  });
  return items.length === 0 ? [] : [{ type: ComponentType.MediaGallery, items }];
}

function formatFile(block: FileBlock, draft: MessageDraft): readonly WireComponent[] {
  const file = draft.files.get(block.file);
  const spoiler = block.spoiler || undefined;
  return file ? [{ type: ComponentType.File, file: show(file, draft), spoiler }] : [];
}

const ROW_LIMIT = 5;
const LABEL_LIMIT = 80;
const URL_LIMIT = 512;
const PLACEHOLDER_LIMIT = 150;
const EMOJI_LIMIT = 32;

function formatRow(components: readonly WireComponent[]): WireComponent {
  return { type: ComponentType.ActionRow, components };
}

function formatButtons({ buttons }: ButtonsBlock, draft: MessageDraft): readonly WireComponent[] {
  const made = buttons.flatMap((button) => formatButton(button, draft) ?? []);
  return chunk(made, ROW_LIMIT).map((row) => formatRow(row));
}

const STYLES = {
  primary: ButtonStyle.Primary,
  secondary: ButtonStyle.Secondary,
  success: ButtonStyle.Success,
  danger: ButtonStyle.Danger,
} as const;

function formatButton(button: Button, draft: MessageDraft): WireComponent | undefined {
  const label = cutLine(button.label, LABEL_LIMIT);
  if (button.type === "link") {
    if (button.url.length > URL_LIMIT || !/^https?:\/\//.test(button.url) || !URL.canParse(button.url)) {
      draft.refused.push(`link ${label}`);
      return undefined;
    }
    return { type: ComponentType.Button, style: ButtonStyle.Link, label: label || "Open", url: button.url };
  }
  const customId = reserveCustomId(button.target, draft);
  if (customId === undefined) {
    return undefined;
  }
  const emoji = button.emoji && button.emoji.length <= EMOJI_LIMIT ? { name: button.emoji } : undefined;
  return {
    type: ComponentType.Button,
    style: STYLES[button.style ?? "secondary"],
    custom_id: customId,
    label: label || (emoji ? undefined : "…"),
    emoji,
    disabled: button.disabled || undefined,
  };
}

function formatSelect(block: SelectBlock, draft: MessageDraft): readonly WireComponent[] {
  const { options, max, isComplete } = formatChoices(block.choices, block.max);
  draft.overflowed ||= !isComplete;
  const customId = options.length === 0 ? undefined : reserveCustomId(block.target, draft);
  if (customId === undefined) {
    return [];
  }
  const select = {
    type: ComponentType.StringSelect,
    custom_id: customId,
    options,
    min_values: 1,
    max_values: max,
    placeholder: cutLine(block.placeholder, PLACEHOLDER_LIMIT) || undefined,
  };
  return [formatRow([select])];
}

/** The argument that distinguishes components of one message with the same target; handlers never see it. */
export const DUPLICATE_KEY = "~";

/** A `custom_id` that no other component of the message has; `undefined` if the target is too long for one. */
function reserveCustomId(target: ComponentTarget, { customIds, refused }: MessageDraft): string | undefined {
  try {
    for (let number = 1; ; number += 1) {
      const args = { ...target.args, ...(number > 1 && { [DUPLICATE_KEY]: String(number) }) };
      const id = formatComponentId({ ...target, args });
      if (!customIds.has(id)) {
        customIds.add(id);
        return id;
      }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) {
      throw error;
    }
    refused.push(error.message);
    return undefined;
  }
}

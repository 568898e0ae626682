// Buttons and menus of a reply as Discord's components.
// https://discord.com/developers/docs/components/reference
import { ButtonStyle, ComponentType } from "discord.js";
import type { Button, ButtonsBlock, SelectBlock } from "../core/reply.ts";
import { cutLine } from "../core/cut-text.ts";
import { reserveCustomId, take, type MessageRoom, type WireComponent } from "./message-room.ts";
import { CHOICES_LIMIT, formatOptions, usableChoices } from "./select-options.ts";

const ROW_LIMIT = 5;
const LABEL_LIMIT = 80;
const URL_LIMIT = 512;
const PLACEHOLDER_LIMIT = 150;
const EMOJI_LIMIT = 32;

/** Rows of up to five buttons. */
export function formatButtons(block: ButtonsBlock, room: MessageRoom): readonly WireComponent[] {
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

/** One button; `undefined` for one that Discord would refuse. */
export function formatButton(button: Button, room: MessageRoom): WireComponent | undefined {
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
export function formatSelect(block: SelectBlock, room: MessageRoom): readonly WireComponent[] {
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

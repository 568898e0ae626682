// Turns a Reply into a message of components V2 that always fits Discord's limits and never pings, and a Modal into its
// JSON.
import { formatSize, cutLine, cutText } from "../core/text.ts";
import { MessageFlags, ComponentType, TextInputStyle } from "discord.js";
import type { Block, Reply, Modal, ModalField, TextField } from "../core/reply.ts";
import { countComponents, type WireComponent, clamp, formatChoices, unlessBlank } from "./components.ts";
import {
  type MessageDraft,
  fitComponents,
  formatBlocks,
  formatText,
  linkTo,
  sectionTexts,
} from "./reply-blocks.ts";
import { type SendableFile, chooseFiles } from "./reply-files.ts";
import { formatComponentId } from "../core/component-id.ts";

/** Discord's limits for one message. https://discord.com/developers/docs/components/reference */
export const COMPONENTS_LIMIT = 40;
export const TEXT_LIMIT = 4_000;

/** Typed as a number, because callers add further flags. */
const COMPONENTS_V2: number = MessageFlags.IsComponentsV2;

export type OutgoingMessage = ReturnType<typeof formatReply>;

/** Turns a reply into a message. Files over `fileLimitBytes` are left out, and a sentence says so. */
export function formatReply(reply: Reply, fileLimitBytes: number) {
  const chosen = chooseFiles(reply.files ?? [], fileLimitBytes);
  const note = formatLeftOut(chosen.tooLarge, fileLimitBytes);
  const whole = build(reply.blocks, chosen.byName, note);
  const { components, files, draft } =
    chosen.overflowed || whole.draft.overflowed
      ? build(reply.blocks, chosen.byName, `${note}\n-# Not everything fitted in one message.`.trim())
      : whole;
  return {
    body: {
      flags: COMPONENTS_V2,
      components,
      // Always present, so that an edit replaces the files of the message.
      attachments: files.map(({ name, description }, id) => ({
        id: String(id),
        filename: name,
        description: description || undefined,
      })),
      allowed_mentions: { parse: [] },
    },
    /** The files that the JSON refers to, in the order of their ids. */
    files,
    /** Components that cannot be sent in any form, for the log: each is a bug in a view. */
    refused: draft.refused,
  };
}

function build(blocks: readonly Block[], available: ReadonlyMap<string, SendableFile>, note: string) {
  const lengths = blocks.flatMap(textsOf).map((text) => text.trim().length);
  const draft: MessageDraft = {
    textLimit: shareBudget(lengths.slice(0, COMPONENTS_LIMIT), TEXT_LIMIT - note.length),
    files: available,
    shown: new Set(),
    customIds: new Set(),
    overflowed: false,
    refused: [],
  };
  const made = formatBlocks(blocks, draft);
  const noted = formatText(note, TEXT_LIMIT);
  const limit = COMPONENTS_LIMIT - noted.length;
  const isTooMuch = countComponents(made) > limit;
  draft.overflowed ||= isTooMuch;
  const fitting = isTooMuch ? fitComponents(made, limit) : made;
  const components = [...fitting, ...noted];
  const json = isTooMuch ? JSON.stringify(fitting) : "";
  return {
    components: components.length === 0 ? formatText("Nothing to show.", TEXT_LIMIT) : components,
    files: [...draft.shown].filter((file) => !isTooMuch || json.includes(JSON.stringify(linkTo(file)))),
    draft,
  };
}

export function textsOf(block: Block): readonly string[] {
  if (block.type === "container") {
    return block.blocks.flatMap(textsOf);
  }
  if (block.type === "text") {
    return [block.text];
  }
  return block.type === "section" ? sectionTexts(block) : [];
}

function formatLeftOut(count: number, limitBytes: number): string {
  if (count === 0) {
    return "";
  }
  const isOne = count === 1;
  // The limit is 0 after Discord has refused files that it had promised to accept.
  const why =
    limitBytes < 1024 * 1024
      ? `Discord didn't accept ${isOne ? "it" : "them"}`
      : `${isOne ? "it's" : "they're"} larger than the ${formatSize(limitBytes, Math.floor)} allowed here`;
  return `-# ${isOne ? "A file is" : `${count} files are`} missing here: ${why}.`;
}

// Discord limits the text of a whole message. Long texts are cut before short ones, so that a heading and a footer
// survive a long list between them.

/** How many characters each text may keep, so that all of them together have at most `budget`. */
function shareBudget(lengths: readonly number[], budget: number): number {
  // This is true for nearly all messages: nothing must be cut.
  if (lengths.reduce((sum, length) => sum + length, 0) <= budget) {
    return budget;
  }
  const ascending = lengths.toSorted((a, b) => a - b);
  let left = budget;
  for (const [index, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (length > share) {
      return share;
    }
    left -= length;
  }
  return budget;
}

// Forms. https://discord.com/developers/docs/components/reference#label

const FIELDS_LIMIT = 5;
const TITLE_LIMIT = 45;
const LABEL_LIMIT = 45;
const HINT_LIMIT = 100;
const NAME_LIMIT = 100;
const INPUT_LIMIT = 4_000;

/** Turns a form into its JSON. Throws a RangeError if its target does not fit into a custom id. */
export function formatModal(modal: Modal) {
  const components = modal.fields.slice(0, FIELDS_LIMIT).map(formatField);
  return {
    custom_id: formatComponentId(modal.target),
    title: cutLine(modal.title, TITLE_LIMIT) || "…",
    components,
  };
}

function formatField(field: ModalField): WireComponent {
  const required = field.required ?? true;
  return {
    type: ComponentType.Label,
    label: cutLine(field.label, LABEL_LIMIT) || "…",
    description: unlessBlank(cutLine(field.description ?? "", HINT_LIMIT)),
    component: { custom_id: field.name.slice(0, NAME_LIMIT), required, ...formatInput(field, required) },
  };
}

function formatInput(field: ModalField, required: boolean): WireComponent {
  const min_values = required ? 1 : 0;
  switch (field.type) {
    case "text":
      return formatTextInput(field);
    case "choice": {
      const { options, max } = formatChoices(field.choices, field.max);
      return { type: ComponentType.StringSelect, options, min_values, max_values: max };
    }
    case "upload":
      return { type: ComponentType.FileUpload, min_values, max_values: 1 };
  }
}

function formatTextInput(field: TextField): WireComponent {
  const maxLength = clamp(field.maxLength ?? INPUT_LIMIT, 1, INPUT_LIMIT);
  return {
    type: ComponentType.TextInput,
    style: field.lines === "one" ? TextInputStyle.Short : TextInputStyle.Paragraph,
    max_length: maxLength,
    min_length: field.minLength === undefined ? undefined : clamp(field.minLength, 0, maxLength),
    value: cutText(field.value ?? "", maxLength) || undefined,
    placeholder: cutLine(field.placeholder ?? "", HINT_LIMIT) || undefined,
  };
}

// https://discord.com/developers/docs/components/reference#label
import { ComponentType, TextInputStyle } from "discord.js";
import { formatComponentId } from "../core/component-id.ts";
import type { Modal, ModalField, TextField } from "../core/reply.ts";
import { cutLine, cutText } from "../core/text.ts";
import { type WireComponent, clamp, formatChoices, unlessBlank } from "./components.ts";

const FIELDS_LIMIT = 5;
const TITLE_LIMIT = 45;
const LABEL_LIMIT = 45;
const HINT_LIMIT = 100;
const NAME_LIMIT = 100;
const TEXT_LIMIT = 4_000;

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
  const maxLength = clamp(field.maxLength ?? TEXT_LIMIT, 1, TEXT_LIMIT);
  return {
    type: ComponentType.TextInput,
    style: field.lines === "one" ? TextInputStyle.Short : TextInputStyle.Paragraph,
    max_length: maxLength,
    min_length: field.minLength === undefined ? undefined : clamp(field.minLength, 0, maxLength),
    value: cutText(field.value ?? "", maxLength) || undefined,
    placeholder: cutLine(field.placeholder ?? "", HINT_LIMIT) || undefined,
  };
}

// https://discord.com/developers/docs/components/reference#label
import { ComponentType, TextInputStyle } from "discord.js";
import { formatComponentId } from "../core/component-id.ts";
import type { ChoiceField, Modal, ModalField, TextField, UploadField } from "../core/reply.ts";
import { cutLine, cutText } from "../core/text.ts";
import { type WireComponent, clamp, descriptionField, formatChoices } from "./components.ts";

const FIELDS_LIMIT = 5;
const TITLE_LIMIT = 45;
const LABEL_LIMIT = 45;
const HINT_LIMIT = 100;
const NAME_LIMIT = 100;
const TEXT_LIMIT = 4_000;
const UPLOADS_LIMIT = 10;

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
  return {
    type: ComponentType.Label,
    label: cutLine(field.label, LABEL_LIMIT) || "…",
    ...descriptionField(cutLine(field.description ?? "", HINT_LIMIT)),
    component: { custom_id: field.name.slice(0, NAME_LIMIT), ...formatInput(field) },
  };
}

function formatInput(field: ModalField): WireComponent {
  const required = field.required ?? true;
  switch (field.type) {
    case "text":
      return { ...formatTextInput(field), required };
    case "choice":
      return { ...formatSelect(field, required), required };
    case "upload":
      return { ...formatUpload(field, required), required };
  }
}

function formatTextInput(field: TextField): WireComponent {
  const maxLength = clamp(field.maxLength ?? TEXT_LIMIT, 1, TEXT_LIMIT);
  const value = cutText(field.value ?? "", maxLength);
  const placeholder = cutLine(field.placeholder ?? "", HINT_LIMIT);
  return {
    type: ComponentType.TextInput,
    style: field.lines === "one" ? TextInputStyle.Short : TextInputStyle.Paragraph,
    max_length: maxLength,
    ...(field.minLength === undefined ? {} : { min_length: clamp(field.minLength, 0, maxLength) }),
    ...(value === "" ? {} : { value }),
    ...(placeholder === "" ? {} : { placeholder }),
  };
}

function formatSelect(field: ChoiceField, required: boolean): WireComponent {
  const { options, max } = formatChoices(field.choices, field.max);
  return { type: ComponentType.StringSelect, options, min_values: required ? 1 : 0, max_values: max };
}

function formatUpload(field: UploadField, required: boolean): WireComponent {
  return {
    type: ComponentType.FileUpload,
    min_values: required ? 1 : 0,
    max_values: clamp(field.max ?? 1, 1, UPLOADS_LIMIT),
  };
}

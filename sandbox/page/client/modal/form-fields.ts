// The fields of a form that the bot opened, and the checks that Discord's client makes on their values. Pure.
import { COMPONENT_TYPES } from "../../../discord/component-types.ts";
import type { Component } from "../../../control/chat/api.ts";
import { fileProblem, lengthProblem } from "../command/read-draft.ts";
import { componentsOf, numberField, textField } from "../components/fields.ts";

/** A field with the text of its label component. */
export interface FormField {
  readonly customId: string;
  readonly label: string;
  readonly description: string;
  readonly field: Component;
}

export type FieldValue = string | readonly string[] | readonly File[];

/** The field inside a top-level component; `undefined` if the component only shows something. */
export function formFieldOf(component: Component): FormField | undefined {
  const [field] = componentsOf(component["component"]);
  return field === undefined
    ? undefined
    : {
        customId: textField(field, "custom_id"),
        label: textField(component, "label"),
        description: textField(component, "description"),
        field,
      };
}

/** Fields are required by default. */
export function isRequired(field: Component): boolean {
  return field["required"] !== false;
}

export function boundsOf(field: Component): { readonly min: number; readonly max: number } {
  return {
    min: numberField(field, "min_values") ?? (isRequired(field) ? 1 : 0),
    max: numberField(field, "max_values") ?? 1,
  };
}

/** `defaults` are the options that a menu selects by default. */
export function startValue(field: Component, defaults: readonly string[]): FieldValue {
  switch (field.type) {
    case COMPONENT_TYPES.textInput:
      return textField(field, "value");
    case COMPONENT_TYPES.fileUpload:
      return [];
    default:
      return defaults;
  }
}

/** `undefined` if the value can be sent. */
export function valueProblem(field: Component, value: FieldValue, limitBytes: number): string | undefined {
  if (value.length === 0) {
    return isRequired(field) ? "This field is required." : undefined;
  }
  if (typeof value === "string") {
    const min = numberField(field, "min_length") ?? 0;
    const max = numberField(field, "max_length") ?? 4000;
    return field.type === COMPONENT_TYPES.textInput ? lengthProblem(value.length, min, max) : undefined;
  }
  const { min, max } = boundsOf(field);
  if (value.length < min) {
    return `Choose at least ${min}.`;
  }
  if (value.length > max) {
    return `Choose at most ${max}.`;
  }
  return value
    .map((one) => (typeof one === "string" ? undefined : fileProblem(one, field["file_types"], limitBytes)))
    .find((problem) => problem !== undefined);
}

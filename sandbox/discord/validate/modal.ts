// Forms: one to five labels, each with one field.
import { isGiven } from "./is-given.ts";
import { z } from "zod";
import type { OpenModal } from "../entities.ts";
import { problemsUnder, refuseProblems } from "../errors.ts";
import {
  channelSelect,
  checkOptionValues,
  componentId,
  customId,
  mentionableSelect,
  roleSelect,
  selectOption,
  stringSelect,
  userSelect,
} from "./controls.ts";
import { parseForm, report } from "./problems.ts";
import { findTreeProblems, numberComponents } from "./tree.ts";

const textInput = z.object({
  type: z.literal(4),
  id: componentId,
  custom_id: customId,
  style: z.int().min(1).max(2),
  min_length: z.int().min(0).max(4000).nullish(),
  max_length: z.int().min(1).max(4000).nullish(),
  required: z.boolean().nullish(),
  value: z.string().max(4000).nullish(),
  placeholder: z.string().max(100).nullish(),
});

const fileUpload = z.object({
  type: z.literal(19),
  id: componentId,
  custom_id: customId,
  min_values: z.int().min(0).max(10).nullish(),
  max_values: z.int().min(1).max(10).nullish(),
  required: z.boolean().nullish(),
  file_types: z.array(z.string()).max(10).nullish(),
});

const group = <const T extends number>(type: T, fewestOptions: number) =>
  z
    .object({
      type: z.literal(type),
      id: componentId,
      custom_id: customId,
      options: z.array(selectOption).min(fewestOptions).max(10),
      required: z.boolean().nullish(),
      min_values: z.int().min(0).max(10).nullish(),
      max_values: z.int().min(1).max(10).nullish(),
    })
    .superRefine((value, context) => checkOptionValues(value.options, context));

const checkbox = z
  .object({
    type: z.literal(23),
    id: componentId,
    custom_id: customId,
    default: z.boolean().nullish(),
    required: z.boolean().nullish(),
  })
  .superRefine((value, context) => {
    if (isGiven(value.required)) {
      report(context, ["required"], "CHECKBOX_CANNOT_BE_REQUIRED", "A checkbox cannot be required");
    }
  });

const field = z.discriminatedUnion("type", [
  textInput,
  stringSelect,
  userSelect,
  roleSelect,
  mentionableSelect,
  channelSelect,
  fileUpload,
  group(21, 2),
  group(22, 1),
  checkbox,
]);

const label = z
  .object({
    type: z.literal(18),
    id: componentId,
    label: z.string().min(1).max(45),
    description: z.string().max(100).nullish(),
    component: field,
  })
  .superRefine(({ component }, context) => {
    if ("disabled" in component && component.disabled) {
      report(context, ["component", "disabled"], "MODAL_DISABLED", "A modal's field cannot be disabled");
    }
    const required = !("required" in component) || component.required !== false;
    if (required && "min_values" in component && component.min_values === 0) {
      report(
        context,
        ["component", "min_values"],
        "NUMBER_TYPE_MIN",
        "A required field needs at least one value",
      );
    }
  });

/** The old form: a row with one text field that carries its own label. */
const textRow = z.object({
  type: z.literal(1),
  id: componentId,
  components: z
    .array(textInput.extend({ label: z.string().min(1).max(45) }))
    .min(1)
    .max(1),
});

const textDisplay = z.object({ type: z.literal(10), id: componentId, content: z.string().min(1).max(4000) });

const modalForm = z.object({
  custom_id: customId,
  title: z.string().min(1).max(45),
  components: z
    .array(z.discriminatedUnion("type", [label, textRow, textDisplay]))
    .min(1)
    .max(5),
});

/** Throws 50035. */
export function parseModal(data: unknown): OpenModal {
  const { custom_id, title, components } = parseForm(z.object({ data: modalForm }), { data }).data;
  problemsUnder("data", () => refuseProblems(findTreeProblems(components, { isV2: true, files: [] })));
  return { customId: custom_id, title, components: numberComponents(components) };
}

// Forms: one to five labels, each with one field.
import { isGiven } from "./is-given.ts";
import { z } from "zod";
import type { OpenModal } from "../entities.ts";
import { problemsUnder, refuseProblems } from "../errors.ts";
import {
  channelSelect,
  checkBounds,
  checkOptionCount,
  checkOptionValues,
  componentId,
  customId,
  mentionableSelect,
  roleSelect,
  selectOption,
  stringSelect,
  userSelect,
} from "./controls.ts";
import { fileTypes } from "./file-types.ts";
import { parseForm, report } from "./problems.ts";
import { findTreeProblems, numberComponents } from "./tree.ts";

const textFields = z.object({
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

function checkLengths(value: z.output<typeof textFields>, context: z.core.$RefinementCtx): void {
  const most = value.max_length ?? 4000;
  if ((value.min_length ?? 0) > most) {
    report(context, ["max_length"], "NUMBER_TYPE_MIN", "Must be greater than or equal to min_length.");
  }
  if ((value.value ?? "").length > most) {
    report(context, ["value"], "BASE_TYPE_MAX_LENGTH", `Must be ${most} or fewer in length.`);
  }
}

const textInput = textFields.superRefine(checkLengths);

const fileUpload = z
  .object({
    type: z.literal(19),
    id: componentId,
    custom_id: customId,
    min_values: z.int().min(0).max(10).nullish(),
    max_values: z.int().min(1).max(10).nullish(),
    required: z.boolean().nullish(),
    file_types: fileTypes,
  })
  .superRefine(checkBounds);

const groupFields = <const T extends number>(type: T, fewestOptions: number) =>
  z.object({
    type: z.literal(type),
    id: componentId,
    custom_id: customId,
    options: z.array(selectOption).min(fewestOptions).max(10),
    required: z.boolean().nullish(),
  });

const radioGroup = groupFields(21, 2).superRefine(({ options }, context) => {
  checkOptionValues(options, context);
  if (options.filter((one) => one.default).length > 1) {
    report(
      context,
      ["options"],
      "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES",
      "At most one option may be chosen from the start.",
    );
  }
});

const checkboxGroup = groupFields(22, 1)
  .extend({
    min_values: z.int().min(0).max(10).nullish(),
    max_values: z.int().min(1).max(10).nullish(),
  })
  .superRefine((value, context) => {
    checkOptionValues(value.options, context);
    // Without a most all of them may be ticked.
    checkBounds({ ...value, max_values: value.max_values ?? value.options.length }, context);
    checkOptionCount(value, context);
  });

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
  radioGroup,
  checkboxGroup,
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
    if ("disabled" in component && isGiven(component.disabled)) {
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
    .array(textFields.extend({ label: z.string().min(1).max(45) }).superRefine(checkLengths))
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

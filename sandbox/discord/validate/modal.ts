// Parses forms: one to five labels with one field each, or text displays.
import { COMPONENT_TYPES } from "../component-types.ts";
import { fileTypes, isGiven, parseForm, report, upTo } from "./problems.ts";
import { z } from "zod";
import type { OpenModal } from "../entities.ts";
import { problemsUnder, refuseProblems } from "../errors.ts";
import { checkBounds, componentId, customId, stringSelect, textDisplay } from "./components.ts";
import { findTreeProblems, numberComponents } from "./tree.ts";

const textInput = z
  .object({
    type: z.literal(COMPONENT_TYPES.textInput),
    id: componentId,
    custom_id: customId,
    style: z.int().min(1).max(2),
    min_length: z.int().min(0).max(4000).nullish(),
    max_length: z.int().min(1).max(4000).nullish(),
    required: z.boolean().nullish(),
    value: z.string().max(4000).nullish(),
    placeholder: z.string().max(100).nullish(),
  })
  .superRefine((value, context) => {
    const most = value.max_length ?? 4000;
    if ((value.min_length ?? 0) > most) {
      report(context, ["max_length"], "NUMBER_TYPE_MIN", "Must be greater than or equal to min_length.");
    }
    if ((value.value ?? "").length > most) {
      report(context, ["value"], "BASE_TYPE_MAX_LENGTH", `Must be ${most} or fewer in length.`);
    }
  });

const fileUpload = z
  .object({
    type: z.literal(COMPONENT_TYPES.fileUpload),
    id: componentId,
    custom_id: customId,
    min_values: z.int().min(0).max(10).nullish(),
    max_values: z.int().min(1).max(10).nullish(),
    required: z.boolean().nullish(),
    file_types: fileTypes,
  })
  .superRefine(checkBounds);

const label = z
  .object({
    type: z.literal(COMPONENT_TYPES.label),
    id: componentId,
    label: upTo(45),
    description: upTo(100).nullish(),
    component: z.discriminatedUnion("type", [textInput, stringSelect, fileUpload]),
  })
  .superRefine(({ component }, context) => {
    if ("disabled" in component && isGiven(component.disabled)) {
      report(context, ["component", "disabled"], "MODAL_DISABLED", "A modal's field cannot be disabled");
    }
    if (component.required !== false && "min_values" in component && component.min_values === 0) {
      report(
        context,
        ["component", "min_values"],
        "NUMBER_TYPE_MIN",
        "A required field needs at least one value",
      );
    }
  });

const modalForm = z.object({
  custom_id: customId,
  title: upTo(45),
  components: z
    .array(z.discriminatedUnion("type", [label, textDisplay]))
    .min(1)
    .max(5),
});

/** Parses the form of a callback. Throws 50035. */
export function parseModal(data: unknown): OpenModal {
  const { custom_id, title, components } = parseForm(z.object({ data: modalForm }), { data }).data;
  problemsUnder("data", () => refuseProblems(findTreeProblems(components, { isV2: true, files: [] })));
  return { customId: custom_id, title, components: numberComponents(components) };
}

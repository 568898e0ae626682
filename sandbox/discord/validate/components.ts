// The schemas of single components: buttons, string selects, layouts and content. Rules for a message as a whole are in
// tree.ts and message.ts.
import { z } from "zod";
import { COMPONENT_TYPES } from "../component-types.ts";
import { isGiven, report, upTo } from "./problems.ts";

/** A component's number within its message. If it is 0 or absent, Discord assigns one. */
export const componentId = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)
  .nullish();

export const customId = z.string().min(1).max(100);

const snowflake = z.string().regex(/^\d{1,20}$/);

const emoji = z
  .object({
    id: snowflake.nullish(),
    name: z.string().max(64).nullish(),
    animated: z.boolean().nullish(),
  })
  .superRefine(({ id, name }, context) => {
    if (!isGiven(id) && !/^\p{RGI_Emoji}$/v.test(name ?? "")) {
      report(context, ["name"], "COMPONENT_INVALID_EMOJI", "Invalid emoji");
    }
  });

/** Buttons of the styles 1–4 send an interaction; style 5 opens a link. */
const button = z
  .object({
    type: z.literal(COMPONENT_TYPES.button),
    id: componentId,
    style: z.int().min(1).max(5),
    label: z.string().max(80).nullish(),
    emoji: emoji.nullish(),
    custom_id: customId.nullish(),
    url: z.string().min(1).max(512).nullish(),
    disabled: z.boolean().nullish(),
  })
  .superRefine((value, context) => {
    const isLink = value.style === 5;
    if (!isLink && !isGiven(value.custom_id)) {
      report(context, ["custom_id"], "BASE_TYPE_REQUIRED", "This field is required");
    }
    if (isLink && isGiven(value.custom_id)) {
      report(context, ["custom_id"], "BUTTON_CUSTOM_ID_FORBIDDEN", "A custom id cannot be specified");
    }
    if (isLink && !isGiven(value.url)) {
      report(context, ["url"], "BASE_TYPE_REQUIRED", "This field is required");
    }
    if (isLink && isGiven(value.url) && !/^(https?|discord):\/\/\S+$/.test(value.url)) {
      report(context, ["url"], "URL_TYPE_INVALID_URL", "Not a well formed URL.");
    }
    if (!isLink && isGiven(value.url)) {
      report(context, ["url"], "BUTTON_URL_FORBIDDEN", "A url cannot be specified");
    }
    if (!isGiven(value.label) && !isGiven(value.emoji)) {
      report(context, ["label"], "BUTTON_COMPONENT_INVALID", "A button needs a label or an emoji");
    }
  });

/** Reports a `min_values` that exceeds `max_values`; each is 1 if it is absent. */
export function checkBounds(
  value: { readonly min_values?: number | null | undefined; readonly max_values?: number | null | undefined },
  context: z.core.$RefinementCtx,
): void {
  if ((value.min_values ?? 1) > (value.max_values ?? 1)) {
    const message = "Must be greater than or equal to min_values.";
    report(context, ["max_values"], "SELECT_COMPONENT_MAX_VALUES_INVALID", message);
  }
}

const selectOption = z.object({
  label: upTo(100),
  value: z.string().min(1).max(100),
  description: z.string().max(100).nullish(),
  emoji: emoji.nullish(),
  default: z.boolean().nullish(),
});

export const stringSelect = z
  .object({
    type: z.literal(COMPONENT_TYPES.stringSelect),
    id: componentId,
    custom_id: customId,
    placeholder: z.string().max(150).nullish(),
    min_values: z.int().min(0).max(25).nullish(),
    max_values: z.int().min(1).max(25).nullish(),
    disabled: z.boolean().nullish(),
    required: z.boolean().nullish(),
    options: z.array(selectOption).min(1).max(25),
  })
  .superRefine((value, context) => {
    const { options } = value;
    const most = value.max_values ?? 1;
    checkBounds(value, context);
    const seen = new Set<string>();
    for (const [index, option] of options.entries()) {
      if (seen.has(option.value)) {
        const message = "The specified option value is already used";
        const code = "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED";
        report(context, ["options", index, "value"], code, message);
      }
      seen.add(option.value);
    }
    if (options.filter((one) => one.default).length > most) {
      const message = "No more than max_values options may be selected by default.";
      report(context, ["options"], "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", message);
    }
    if (most > options.length) {
      const message = "Must have at least as many options as max_values.";
      report(context, ["options"], "SELECT_COMPONENT_OPTIONS_TOO_FEW", message);
    }
  });

const actionRow = z
  .object({
    type: z.literal(COMPONENT_TYPES.actionRow),
    id: componentId,
    components: z
      .array(z.discriminatedUnion("type", [button, stringSelect]))
      .min(1)
      .max(5),
  })
  .superRefine(({ components }, context) => {
    const selects = components.filter(({ type }) => type !== COMPONENT_TYPES.button).length;
    if (selects > 0 && components.length > 1) {
      report(
        context,
        ["components"],
        "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
        "The specified component exceeds the maximum width",
      );
    }
  });

export const textDisplay = z.object({
  type: z.literal(COMPONENT_TYPES.textDisplay),
  id: componentId,
  content: upTo(4000),
});

const mediaUrl = z.object({
  url: z
    .string()
    .max(2048)
    .regex(/^(https?|attachment):\/\/\S+$/),
});

const thumbnail = z.object({
  type: z.literal(COMPONENT_TYPES.thumbnail),
  id: componentId,
  media: mediaUrl,
  description: upTo(1024).nullish(),
  spoiler: z.boolean().nullish(),
});

const section = z.object({
  type: z.literal(COMPONENT_TYPES.section),
  id: componentId,
  components: z.array(textDisplay).min(1).max(3),
  accessory: z.discriminatedUnion("type", [button, thumbnail]),
});

const mediaGallery = z.object({
  type: z.literal(COMPONENT_TYPES.mediaGallery),
  id: componentId,
  items: z
    .array(
      z.object({
        media: mediaUrl,
        description: upTo(1024).nullish(),
        spoiler: z.boolean().nullish(),
      }),
    )
    .min(1)
    .max(10),
});

const file = z.object({
  type: z.literal(COMPONENT_TYPES.file),
  id: componentId,
  file: z.object({ url: z.string().regex(/^attachment:\/\/\S+$/) }),
  spoiler: z.boolean().nullish(),
});

const separator = z.object({
  type: z.literal(COMPONENT_TYPES.separator),
  id: componentId,
  divider: z.boolean().nullish(),
  spacing: z.int().min(1).max(2).nullish(),
});

const container = z.object({
  type: z.literal(COMPONENT_TYPES.container),
  id: componentId,
  accent_color: z.int().min(0).max(0xffffff).nullish(),
  spoiler: z.boolean().nullish(),
  components: z
    .array(z.discriminatedUnion("type", [actionRow, section, textDisplay, mediaGallery, file, separator]))
    .min(1),
});

/** The components that a message may have at its top level. */
export const messageComponents = z.array(
  z.discriminatedUnion("type", [actionRow, section, textDisplay, mediaGallery, file, separator, container]),
);

// What a person can operate: buttons and the five kinds of menus.
import { isGiven } from "./is-given.ts";
import { z } from "zod";
import { report } from "./problems.ts";

/** A component's number within its message; 0 or absent: Discord gives one. */
export const componentId = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)
  .nullish();

export const customId = z.string().min(1).max(100);

const snowflake = z.string().regex(/^\d{1,20}$/);

const emoji = z.object({
  id: snowflake.nullish(),
  name: z.string().max(64).nullish(),
  animated: z.boolean().nullish(),
});

/** 1–4 answer to a press, 5 opens a link, 6 sells. */
export const button = z
  .object({
    type: z.literal(2),
    id: componentId,
    style: z.int().min(1).max(6),
    label: z.string().max(80).nullish(),
    emoji: emoji.nullish(),
    custom_id: customId.nullish(),
    url: z.string().min(1).max(512).nullish(),
    sku_id: snowflake.nullish(),
    disabled: z.boolean().nullish(),
  })
  .superRefine((value, context) => {
    const isLink = value.style === 5;
    const isPremium = value.style === 6;
    if (!isLink && !isPremium && !isGiven(value.custom_id)) {
      report(context, ["custom_id"], "BASE_TYPE_REQUIRED", "This field is required");
    }
    if ((isLink || isPremium) && isGiven(value.custom_id)) {
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
    if (isPremium !== isGiven(value.sku_id)) {
      report(context, ["sku_id"], "BUTTON_SKU_ID_INVALID", "Only premium buttons have a SKU");
    }
    if (!isPremium && !isGiven(value.label) && !isGiven(value.emoji)) {
      report(context, ["label"], "BUTTON_COMPONENT_INVALID", "A button needs a label or an emoji");
    }
  });

const selectBase = {
  id: componentId,
  custom_id: customId,
  placeholder: z.string().max(150).nullish(),
  min_values: z.int().min(0).max(25).nullish(),
  max_values: z.int().min(1).max(25).nullish(),
  disabled: z.boolean().nullish(),
  required: z.boolean().nullish(),
};

type Bounds = {
  readonly min_values?: number | null | undefined;
  readonly max_values?: number | null | undefined;
};

/** Reports a least that exceeds the most; both are 1 where they are absent. */
export function checkBounds(value: Bounds, context: z.core.$RefinementCtx): void {
  if ((value.min_values ?? 1) > (value.max_values ?? 1)) {
    report(
      context,
      ["max_values"],
      "SELECT_COMPONENT_MAX_VALUES_INVALID",
      "Must be greater than or equal to min_values.",
    );
  }
}

/** One line of a menu, also of radio and checkbox groups. */
export const selectOption = z.object({
  label: z.string().min(1).max(100),
  value: z.string().min(1).max(100),
  description: z.string().max(100).nullish(),
  emoji: emoji.nullish(),
  default: z.boolean().nullish(),
});

/** Reports values that stand twice in a list of options. */
export function checkOptionValues(
  options: readonly { readonly value: string }[],
  context: z.core.$RefinementCtx,
): void {
  const seen = new Set<string>();
  for (const [index, { value }] of options.entries()) {
    if (seen.has(value)) {
      report(
        context,
        ["options", index, "value"],
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
        "The specified option value is already used",
      );
    }
    seen.add(value);
  }
}

/** Reports fewer options than may be chosen. */
export function checkOptionCount(
  value: Bounds & { readonly options: readonly unknown[] },
  context: z.core.$RefinementCtx,
): void {
  if ((value.max_values ?? 1) > value.options.length) {
    report(
      context,
      ["options"],
      "SELECT_COMPONENT_OPTIONS_TOO_FEW",
      "Must have at least as many options as max_values.",
    );
  }
}

export const stringSelect = z
  .object({ type: z.literal(3), ...selectBase, options: z.array(selectOption).min(1).max(25) })
  .superRefine((value, context) => {
    checkBounds(value, context);
    checkOptionValues(value.options, context);
    if (value.options.filter((one) => one.default).length > (value.max_values ?? 1)) {
      report(
        context,
        ["options"],
        "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES",
        "No more options than max_values may be chosen from the start.",
      );
    }
    checkOptionCount(value, context);
  });

const defaultValues = z
  .array(z.object({ id: snowflake, type: z.enum(["user", "role", "channel"]) }))
  .max(25)
  .nullish();

/** What each kind of menu may begin with. */
const DEFAULT_KINDS: Readonly<Record<number, readonly string[]>> = {
  5: ["user"],
  6: ["role"],
  7: ["user", "role"],
  8: ["channel"],
};

function checkDefaults(
  value: Bounds & { readonly type: number; readonly default_values?: z.output<typeof defaultValues> },
  context: z.core.$RefinementCtx,
): void {
  const values = value.default_values ?? [];
  const kinds = DEFAULT_KINDS[value.type] ?? [];
  for (const [index, { type }] of values.entries()) {
    if (!kinds.includes(type)) {
      const message = `Value must be one of (${kinds.join(", ")}).`;
      report(context, ["default_values", index, "type"], "BASE_TYPE_CHOICES", message);
    }
  }
  const isFew = values.length < (value.min_values ?? 1);
  if (values.length > 0 && (isFew || values.length > (value.max_values ?? 1))) {
    report(
      context,
      ["default_values"],
      "SELECT_COMPONENT_INVALID_DEFAULT_VALUES",
      "The number of default values must lie between min_values and max_values.",
    );
  }
}

const autoSelect = <const T extends number>(type: T) =>
  z
    .object({
      type: z.literal(type),
      ...selectBase,
      default_values: defaultValues,
      channel_types: z.array(z.int()).nullish(),
    })
    .superRefine((value, context) => {
      checkBounds(value, context);
      checkDefaults(value, context);
    });

export const userSelect = autoSelect(5);
export const roleSelect = autoSelect(6);
export const mentionableSelect = autoSelect(7);
export const channelSelect = autoSelect(8);

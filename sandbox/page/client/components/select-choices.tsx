// What a menu offers, whether the bot named it or the guild has it.
import type { Component } from "../../../control/chat/api.ts";
import { around } from "../composer/draft-state.ts";
import { offerNames } from "../command/offers.ts";
import type { ListOption } from "../kit/option-list.tsx";
import { choicesOf, textField } from "./fields.ts";

/** Discord's numbers for the kinds of menus. */
const STRING = 3;
const NAMES = { 5: "user", 6: "role", 7: "mentionable", 8: "channel" } as const;

/** `key` is the value that is sent. Reads signals. */
export function selectOptions(select: Component): ListOption[] {
  if (isOfNames(select.type)) {
    return offerNames(NAMES[select.type], around.value, select["channel_types"]).map(({ name, value }) => ({
      key: String(value),
      label: name,
    }));
  }
  return choicesOf(select).map(({ value, label, description, emoji }) => ({
    key: value,
    label,
    detail: description,
    lead: emoji === "" ? undefined : <span>{emoji}</span>,
  }));
}

const isOfNames = (type: number): type is keyof typeof NAMES => type in NAMES;

/** What is chosen from the start. */
export function selectDefaults(select: Component): string[] {
  if (select.type === STRING) {
    return choicesOf(select)
      .filter(({ isDefault }) => isDefault)
      .map(({ value }) => value);
  }
  const values: readonly unknown[] = Array.isArray(select["default_values"]) ? select["default_values"] : [];
  return values.map((value) => textField(value, "id"));
}

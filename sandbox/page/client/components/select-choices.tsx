// What a menu offers.
import type { Component } from "../../../control/chat/api.ts";
import type { ListOption } from "../kit/option-list.tsx";
import { choicesOf } from "./fields.ts";

/** `key` is the value that is sent. */
export function selectOptions(select: Component): ListOption[] {
  return choicesOf(select).map(({ value, label, description, emoji }) => ({
    key: value,
    label,
    detail: description,
    lead: emoji === "" ? undefined : <span>{emoji}</span>,
  }));
}

/** What is chosen from the start. */
export function selectDefaults(select: Component): string[] {
  return choicesOf(select)
    .filter(({ isDefault }) => isDefault)
    .map(({ value }) => value);
}

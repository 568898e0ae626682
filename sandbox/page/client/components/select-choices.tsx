import type { Component } from "../../../control/chat/api.ts";
import type { ListOption } from "../kit/option-list.tsx";
import { fieldOf, isSet, textField } from "./fields.ts";

function choicesOf({ options }: Component): readonly unknown[] {
  return Array.isArray(options) ? options : [];
}

/** The menu's options; `key` is the value that is sent. */
export function selectOptions(select: Component): ListOption[] {
  return choicesOf(select).map((choice) => {
    const emoji = textField(fieldOf(choice, "emoji"), "name");
    return {
      key: textField(choice, "value"),
      label: textField(choice, "label"),
      detail: textField(choice, "description"),
      lead: emoji === "" ? undefined : <span>{emoji}</span>,
    };
  });
}

export function selectDefaults(select: Component): string[] {
  return choicesOf(select)
    .filter((choice) => isSet(choice, "default"))
    .map((choice) => textField(choice, "value"));
}

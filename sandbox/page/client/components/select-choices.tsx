// What a menu offers, whether the bot named it or the guild has it.
import type { Component } from "../../../control/chat/api.ts";
import { around } from "../composer/draft-state.ts";
import { OfferLead } from "../composer/offer-lead.tsx";
import type { ListOption } from "../kit/option-list.tsx";
import { choicesOf, textField } from "./fields.ts";

/** Discord's numbers for the kinds of menus. */
const STRING = 3;
const USER = 5;
const ROLE = 6;
const MENTIONABLE = 7;
const CHANNEL = 8;

/** `key` is the value that is sent. Reads signals. */
export function selectOptions(select: Component): ListOption[] {
  const { people, roles, channels } = around.value;
  const persons = () => people.map(({ id, name }) => entity("person", id, name));
  const allRoles = () => roles.map(({ id, name }) => entity("role", id, name));
  switch (select.type) {
    case USER:
      return persons();
    case ROLE:
      return allRoles();
    case MENTIONABLE:
      return [...persons(), ...allRoles()];
    case CHANNEL: {
      const kinds: readonly unknown[] = Array.isArray(select["channel_types"]) ? select["channel_types"] : [];
      return channels
        .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
        .map(({ id, name }) => entity("channel", id, name));
    }
    default:
      return choicesOf(select).map(({ value, label, description, emoji }) => ({
        key: value,
        label,
        detail: description,
        ...(emoji === "" ? {} : { lead: <span>{emoji}</span> }),
      }));
  }
}

function entity(kind: "person" | "role" | "channel", id: string, name: string): ListOption {
  return { key: id, label: name, lead: <OfferLead kind={kind} id={id} name={name} /> };
}

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

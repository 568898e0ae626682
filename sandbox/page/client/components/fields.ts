// Reads single fields of objects that the bot sent. Pure.
import type { Component } from "../../../control/chat/api.ts";

/** The text in a field; empty if the field is absent or is not text. */
export function textField(value: unknown, name: string): string {
  const field = fieldOf(value, name);
  return typeof field === "string" ? field : "";
}

export function numberField(value: unknown, name: string): number | undefined {
  const field = fieldOf(value, name);
  return typeof field === "number" ? field : undefined;
}

export function isSet(value: unknown, name: string): boolean {
  return fieldOf(value, name) === true;
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** The components in a list; a single component counts as a list of one. */
export function componentsOf(value: unknown): Component[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter(isComponent);
}

function isComponent(value: unknown): value is Component {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "number";
}

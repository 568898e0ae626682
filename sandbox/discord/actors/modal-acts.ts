// Submits a form that the bot opened.
import type { Component, Interaction, User } from "../entities.ts";
import { channelOf } from "../state.ts";
import type { ActorFile } from "./acts.ts";
import { offeredValue } from "./component-acts.ts";
import {
  NAMED_BY_MENU,
  refuseUnwantedFile,
  resolveId,
  uploadFile,
  type Filling,
  type Resolved,
} from "./options.ts";
import { sendInteraction, type Stage } from "./stage.ts";

/** The values of the fields: text, chosen values, files. */
export type FieldInput = string | readonly string[] | readonly ActorFile[];

interface Field {
  readonly holder: Component;
  readonly field: Component;
  readonly label: string;
}

/** Submits the form of an interaction. Throws for unknown or missing fields and for values that do not fit. */
export function sendModal(
  stage: Stage,
  user: User,
  opened: Interaction,
  inputs: Readonly<Record<string, FieldInput>>,
): Interaction {
  const { platform } = stage;
  const { modal } = opened;
  if (modal === undefined || opened.userId !== user.id) {
    throw new Error(`${user.displayName} has no such form open`);
  }
  const channel = channelOf(platform.state, opened.channelId);
  const fields = modal.components.flatMap(fieldOf);
  for (const name of Object.keys(inputs)) {
    if (!fields.some(({ field, label }) => label === name || field["custom_id"] === name)) {
      throw new Error(`the form has no field ${name}: ${fields.map(({ label }) => label).join(", ")}`);
    }
  }
  const resolved: Resolved = {};
  const filling: Filling = { platform, channel, userId: user.id, isTyping: false };
  const components = fields.map(({ holder, field, label }) => {
    const input = inputs[label] ?? inputs[String(field["custom_id"])];
    const filled = {
      type: field.type,
      id: field.id,
      custom_id: field["custom_id"],
      ...fillField(filling, label, field, input, resolved),
    };
    return holder.type === 18
      ? { type: 18, id: holder.id, component: filled }
      : { type: 1, id: holder.id, components: [filled] };
  });
  const data = {
    custom_id: modal.customId,
    components,
    ...(Object.keys(resolved).length === 0 ? {} : { resolved }),
  };
  const { messageId, owners } = opened;
  return sendInteraction(stage, user, channel, { kind: 5, messageId, owners }, data);
}

function fieldOf(holder: Component): Field[] {
  const inner = holder.type === 18 ? [holder["component"]] : holder["components"];
  const [field] = Array.isArray(inner) ? inner : [];
  if (typeof field !== "object" || field === null) {
    return [];
  }
  // validate/modal.ts has made sure that these are components.
  const known = field as Component;
  return [{ holder, field: known, label: String(holder["label"] ?? known["label"]) }];
}

function fillField(
  filling: Filling,
  label: string,
  field: Component,
  input: FieldInput | undefined,
  resolved: Resolved,
): object {
  const given = input === undefined ? [] : typeof input === "string" ? [input] : [...input];
  const texts = given.filter((value) => typeof value === "string");
  const files = given.filter((value) => typeof value !== "string");
  const isRequired = field.type !== 23 && field["required"] !== false;
  if (field.type === 4) {
    return { value: fillText(label, field, texts[0] ?? defaultText(field), isRequired) };
  }
  if (field.type === 23) {
    return { value: texts[0] === undefined ? field["default"] === true : texts[0] === "true" };
  }
  if (isRequired && given.length === 0) {
    throw new Error(`the field ${label} must be filled in`);
  }
  const most = Number(field["max_values"] ?? (field.type === 22 ? 10 : 1));
  if (given.length > most) {
    throw new Error(`the field ${label} takes at most ${most}`);
  }
  switch (field.type) {
    case 19:
      for (const file of files) {
        refuseUnwantedFile(label, file, field["file_types"]);
      }
      return { values: files.map((file) => uploadFile(filling, file, resolved)) };
    case 21:
      return { value: texts[0] === undefined ? null : offeredValue(field, texts[0]) };
    case 3:
    case 22:
      return { values: texts.map((text) => offeredValue(field, text)) };
    default:
      return {
        values: texts.map((text) =>
          resolveId(filling, label, text, NAMED_BY_MENU[field.type] ?? [], resolved),
        ),
      };
  }
}

function defaultText({ value }: Component): string {
  return typeof value === "string" ? value : "";
}

function fillText(label: string, field: Component, text: string, isRequired: boolean): string {
  const least = Number(field["min_length"] ?? (isRequired ? 1 : 0));
  const most = Number(field["max_length"] ?? 4000);
  const isEmptyAllowed = text === "" && !isRequired;
  if (!isEmptyAllowed && (text.length < least || text.length > most)) {
    throw new Error(`the field ${label} takes ${least} to ${most} characters`);
  }
  return text;
}

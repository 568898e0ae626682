import { InteractionType } from "discord-api-types/v10";
import { COMPONENT_TYPES } from "../component-types.ts";
import type { Component, Interaction, User } from "../entities.ts";
import { channelOf } from "../state.ts";
import type { ActorFile } from "./member-types.ts";
import { offeredValue } from "./component-actions.ts";
import { refuseUnwantedFile, uploadFile, type Filling, type Resolved } from "./options.ts";
import { sendInteraction, type ActorContext } from "./send-interaction.ts";

/** The values of the fields: text, chosen values, files. */
export type FieldInput = string | readonly string[] | readonly ActorFile[];

/** A field of a form, with the label (component type 18) around it. */
interface Field {
  readonly labelId: number;
  readonly field: Component;
  readonly label: string;
}

/** Submits the form of an interaction. Throws for unknown or missing fields and for values that do not fit. */
export function sendModal(
  context: ActorContext,
  user: User,
  opened: Interaction,
  inputs: Readonly<Record<string, FieldInput>>,
): Interaction {
  const { platform } = context;
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
  const components = fields.map(({ labelId, field, label }) => {
    const input = inputs[label] ?? inputs[String(field["custom_id"])];
    const filled = {
      type: field.type,
      id: field.id,
      custom_id: field["custom_id"],
      ...fillField(filling, label, field, input, resolved),
    };
    return { type: COMPONENT_TYPES.label, id: labelId, component: filled };
  });
  const data = {
    custom_id: modal.customId,
    components,
    ...(Object.keys(resolved).length === 0 ? {} : { resolved }),
  };
  const { messageId, owners } = opened;
  const what = { kind: InteractionType.ModalSubmit, messageId, owners } as const;
  return sendInteraction(context, user, channel, what, data);
}

function fieldOf({ id, label, component }: Component): Field[] {
  // validate/modal.ts has made sure that this is a component; only text displays have none.
  return component === undefined
    ? []
    : [{ labelId: id, field: component as Component, label: String(label) }];
}

function fillField(
  filling: Filling,
  label: string,
  field: Component,
  input: FieldInput | undefined,
  resolved: Resolved,
): object {
  const given: readonly (string | ActorFile)[] =
    typeof input === "string" ? [input] : (input ?? defaultsOf(field));
  const texts = given.filter((value) => typeof value === "string");
  const files = given.filter((value) => typeof value !== "string");
  const isRequired = field["required"] !== false;
  if (field.type === COMPONENT_TYPES.textInput) {
    const text = texts[0] ?? (typeof field["value"] === "string" ? field["value"] : "");
    return { value: fillText(label, field, text, isRequired) };
  }
  if (isRequired && given.length === 0) {
    throw new Error(`the field ${label} must be filled in`);
  }
  const most = Number(field["max_values"] ?? 1);
  if (given.length > most) {
    throw new Error(`the field ${label} takes at most ${most}`);
  }
  if (field.type === COMPONENT_TYPES.stringSelect) {
    return { values: texts.map((text) => offeredValue(field, text)) };
  }
  for (const file of files) {
    refuseUnwantedFile(label, file, field["file_types"]);
  }
  return { values: files.map((file) => uploadFile(filling, file, resolved)) };
}

/** The values of a menu that nobody touched. */
function defaultsOf({ options }: Component): readonly string[] {
  // validate/ has checked that the options of a menu have this shape.
  const offered = (options ?? []) as readonly { readonly value: string; readonly default?: boolean }[];
  return offered.flatMap((one) => (one.default ? [one.value] : []));
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

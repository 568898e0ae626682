// What was filled in, by field name.
import { ComponentType } from "discord.js";
import { createAttachment } from "../attachment.ts";
import type { Attachment } from "../define/message.ts";
import type { FormInteraction } from "../interaction.ts";

/** Texts and choices stand in `fields`, uploads in `files`. A field left empty is an empty list. */
export function readForm({ data }: FormInteraction): {
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly files: Readonly<Record<string, readonly Attachment[]>>;
} {
  const fields: Record<string, readonly string[]> = {};
  const files: Record<string, readonly Attachment[]> = {};
  const attachments = data.resolved?.attachments ?? {};
  for (const { component } of data.components) {
    if (component?.custom_id === undefined) {
      continue;
    }
    const values = component.values ?? valueOf(component.value);
    if (component.type === ComponentType.FileUpload) {
      const uploads = values.flatMap((value) => attachments[value] ?? []);
      files[component.custom_id] = uploads.map(createAttachment);
    } else {
      fields[component.custom_id] = values;
    }
  }
  return { fields, files };
}

function valueOf(value: string | boolean | null | undefined): readonly string[] {
  return value === undefined || value === null || value === "" ? [] : [String(value)];
}

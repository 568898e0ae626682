// One option of a registration by itself. What its fields must be to each other stands in option-rules.ts.
import { z } from "zod";
import { chatName, localisations, upTo } from "./command-text.ts";
import { fileTypes } from "./file-types.ts";

const choice = z.object({
  name: upTo(100),
  name_localizations: localisations(upTo(100)),
  value: z.union([z.string().max(100), z.number()]),
});

export const optionBase = z.object({
  type: z.int().min(1).max(11),
  name: chatName,
  name_localizations: localisations(chatName),
  description: upTo(100),
  description_localizations: localisations(upTo(100)),
  required: z.boolean().nullish(),
  autocomplete: z.boolean().nullish(),
  choices: z.array(choice).max(25).nullish(),
  channel_types: z.array(z.int()).nullish(),
  min_value: z.number().nullish(),
  max_value: z.number().nullish(),
  min_length: z.int().min(0).max(6000).nullish(),
  max_length: z.int().min(1).max(6000).nullish(),
  file_types: fileTypes,
});

/** With what stands below it. */
export type Option = z.output<typeof optionBase> & { readonly options?: Options | null | undefined };
export type Options = readonly Option[];

// The words in a registration: names, descriptions, and the same in other languages.
import { Locale } from "discord-api-types/v10";
import { z } from "zod";
import { report } from "./problems.ts";

const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;

/** Of a slash command or an option. */
export const chatName = z
  .string()
  .min(1)
  .max(32)
  .superRefine((name, context) => {
    if (!NAME.test(name) || name !== name.toLowerCase()) {
      report(context, [], "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid");
    }
  });

const locales: readonly string[] = Object.values(Locale);

/** By locale; en-GB and en-US are two. */
export const localisations = (text: z.ZodType<string>) =>
  z
    .record(z.string(), text)
    .superRefine((texts, context) => {
      for (const locale of Object.keys(texts)) {
        if (!locales.includes(locale)) {
          report(context, [locale], "BASE_TYPE_CHOICES", `Value must be one of (${locales.join(", ")}).`);
        }
      }
    })
    .nullish();

export const upTo = (length: number) => z.string().min(1).max(length);

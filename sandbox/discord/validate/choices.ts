// Completions that a bot offers for an option.
import { z } from "zod";
import type { Choice } from "../entities.ts";
import { parseForm } from "./problems.ts";

const choicesForm = z.object({
  data: z.object({
    choices: z
      .array(
        z.object({
          name: z.string().min(1).max(100),
          value: z.union([z.string().max(100), z.number()]),
        }),
      )
      .max(25),
  }),
});

/** Throws 50035. */
export function parseChoices(data: unknown): readonly Choice[] {
  return parseForm(choicesForm, { data }).data.choices;
}

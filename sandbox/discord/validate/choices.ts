// Completions that a bot offers for an option.
import { z } from "zod";
import type { Choice } from "../entities.ts";
import { refuseProblems } from "../errors.ts";
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

/** `optionType` 3 string, 4 integer, 10 number; `undefined` asks nothing of the values. Throws 50035. */
export function parseChoices(data: unknown, optionType: number | undefined): readonly Choice[] {
  const { choices } = parseForm(choicesForm, { data }).data;
  const fits = (value: string | number) =>
    optionType === 3
      ? typeof value === "string"
      : typeof value === "number" && (optionType !== 4 || Number.isInteger(value));
  refuseProblems(
    choices.flatMap(({ value }, index) =>
      optionType === undefined || fits(value)
        ? []
        : [
            {
              path: ["data", "choices", index, "value"],
              code: "BASE_TYPE_BAD_TYPE",
              message: "The value is not of the option's type.",
            },
          ],
    ),
  );
  return choices;
}

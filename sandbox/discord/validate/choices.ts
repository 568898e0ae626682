// Completions that a bot offers for an option.
import { z } from "zod";
import { problemsUnder } from "../errors.ts";
import type { Choice } from "../entities.ts";
import { fitsType } from "./options.ts";
import { parseForm, report, upTo } from "./problems.ts";

const choice = z.object({ name: upTo(100), value: z.union([z.string().max(100), z.number()]) });

/** `optionType` 3 string, 4 integer, 10 number; `undefined` asks nothing of the values. Throws 50035. */
export function parseChoices(data: unknown, optionType: number | undefined): readonly Choice[] {
  const schema = z.object({ choices: z.array(choice).max(25) }).superRefine(({ choices }, context) => {
    for (const [index, { value }] of choices.entries()) {
      if (optionType !== undefined && !fitsType(value, optionType)) {
        const message = "The value is not of the option's type.";
        report(context, ["choices", index, "value"], "BASE_TYPE_BAD_TYPE", message);
      }
    }
  });
  return problemsUnder("data", () => parseForm(schema, data).choices);
}

// Options in registrations on their three levels: groups hold subcommands, and these hold plain options.
import { z } from "zod";
import { OPTION_TYPES } from "../option-types.ts";
import { isGiven } from "./is-given.ts";
import { optionBase } from "./option-form.ts";
import { checkNesting, checkOptions } from "./option-rules.ts";

const plainOptions = z
  .array(optionBase)
  .max(25)
  .superRefine((options, context) => {
    checkOptions(options, context);
    checkNesting(options, "plain", context);
  });
const subcommandOption = optionBase.extend({ options: plainOptions.nullish() });
const groupOptions = z.array(subcommandOption).max(25).superRefine(checkOptions);
const topOption = optionBase
  .extend({ options: groupOptions.nullish() })
  .superRefine(({ type, options }, context) => {
    if (isGiven(options)) {
      checkNesting(options, type === OPTION_TYPES.group ? "subcommands" : "plain", context, ["options"]);
    }
  });

/** Of a slash command. */
export const chatOptions = z
  .array(topOption)
  .max(25)
  .superRefine((options, context) => {
    checkOptions(options, context);
    checkNesting(options, "any", context);
  });

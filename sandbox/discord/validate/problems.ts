// The parts that all schemas share, and the translation of zod's issues into Discord's problems.
import { z } from "zod";
import { invalidForm, type Problem } from "../errors.ts";

/** Whether a field has a value. Discord accepts null for most optional fields and treats it as absent. */
export function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

/** A text that people read. Discord trims it, and then it must not be empty. */
export const upTo = (length: number) => z.string().trim().min(1).max(length);

const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;

/** The name of a slash command or an option. */
export const commandName = z.string().superRefine((name, context) => {
  if (!NAME.test(name) || name !== name.toLowerCase()) {
    report(context, [], "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid");
  }
});

/** The files that an option or a field accepts: groups, and extensions with a dot, e.g. `["image", ".csv"]`. */
export const fileTypes = z
  .array(z.string().regex(/^(image|video|audio|\.[a-z0-9]{1,16})$/i))
  .max(10)
  .nullish();

type Issue = z.core.$ZodIssue;

/** Parses a body with a schema. Throws a 50035 that lists all problems. */
export function parseForm<T>(schema: z.ZodType<T>, body: unknown): T {
  const outcome = schema.safeParse(body, { reportInput: true });
  if (!outcome.success) {
    throw invalidForm(outcome.error.issues.flatMap(problemsOf));
  }
  return outcome.data;
}

/** Reports a problem with Discord's code from a schema's own check. */
export function report(
  context: z.core.$RefinementCtx,
  path: readonly (string | number)[],
  code: string,
  message: string,
): void {
  context.addIssue({ code: "custom", path: [...path], message, params: { code } });
}

function problemsOf(issue: Issue): Problem[] {
  const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  const { code, message } = translateIssue(issue);
  return [{ path, code, message }];
}

function translateIssue(issue: Issue): { code: string; message: string } {
  switch (issue.code) {
    case "custom":
      return { code: String(issue.params?.["code"] ?? "INVALID"), message: issue.message };
    case "invalid_type":
      return issue.input === undefined
        ? { code: "BASE_TYPE_REQUIRED", message: "This field is required" }
        : { code: "BASE_TYPE_BAD_TYPE", message: `Could not interpret value as ${issue.expected}.` };
    case "too_big":
      return isLength(issue.origin)
        ? { code: "BASE_TYPE_MAX_LENGTH", message: `Must be ${issue.maximum} or fewer in length.` }
        : {
            code: "NUMBER_TYPE_MAX",
            message: `int value should be less than or equal to ${issue.maximum}.`,
          };
    case "too_small":
      return isLength(issue.origin)
        ? { code: "BASE_TYPE_MIN_LENGTH", message: `Must be ${issue.minimum} or more in length.` }
        : {
            code: "NUMBER_TYPE_MIN",
            message: `int value should be greater than or equal to ${issue.minimum}.`,
          };
    case "invalid_value":
      return {
        code: "BASE_TYPE_CHOICES",
        message: `Value must be one of (${issue.values.map(String).join(", ")}).`,
      };
    case "invalid_union":
      return { code: "UNION_TYPE_CHOICES", message: "Value is not of an allowed type." };
    case "invalid_format":
      return {
        code: "STRING_TYPE_REGEX",
        message: "String value did not match validation regex.",
      };
    case "invalid_element":
    case "invalid_key":
    case "not_multiple_of":
    case "unrecognized_keys":
      return { code: "BASE_TYPE_BAD_VALUE", message: issue.message };
  }
}

function isLength(origin: string): boolean {
  return origin === "string" || origin === "array";
}

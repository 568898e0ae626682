// Loads what a file of the commands' folder exports, enough of which is looked at to tell it from another module: its
// types were checked by the function that made it.
import { z } from "zod";
import type { AnyComponents, AnyDefinition } from "./command.ts";
import type { CommandGroupDefinition, SubcommandGroupDefinition } from "./define.ts";

const commandShape = z.object({ description: z.string(), run: z.function() });
const groupShape = z.object({ description: z.string(), run: z.never().optional() });
const handlers = z.record(z.string(), z.object({ run: z.function() }));
const componentsShape = z
  .object({
    run: z.never().optional(),
    buttons: handlers.optional(),
    selects: handlers.optional(),
    modals: handlers.optional(),
  })
  .refine(({ buttons, selects, modals }) => buttons ?? selects ?? modals);

/** Of `defineCommand`. */
export function isCommand(value: unknown): value is AnyDefinition {
  return commandShape.safeParse(value).success;
}

/** Of `defineComponents`. */
export function isComponents(value: unknown): value is AnyComponents {
  return componentsShape.safeParse(value).success;
}

/** Of `defineCommandGroup` or `defineSubcommandGroup`: what else these may say is optional. */
export function isGroup(value: unknown): value is CommandGroupDefinition & SubcommandGroupDefinition {
  return groupShape.safeParse(value).success;
}

/** The module's default export. Throws an Error that names the file where it is another than `isExpected` knows. */
export async function readDefault<T>(
  url: URL,
  file: string,
  isExpected: (value: unknown) => value is T,
  makers: string,
): Promise<T> {
  const module = z.object({ default: z.unknown() }).safeParse(await import(url.href));
  const made = module.data?.default;
  if (!isExpected(made)) {
    throw new Error(`${file}: has no default export made by ${makers}`);
  }
  return made;
}

// The language in which callers say what they want: `id,from{id},comments.limit(0).summary(true)`.
import { wrongParameter } from "./graph-error.ts";

/** A name and its arguments, on which no answer here depends; nor does any on what stands in braces behind it. */
const FIELD = /^(\w+)(?:\.\w+\(\w+\))*$/;
const BRACES = /\{[\w,.()]+\}/g;

/** The names of the fields that are asked for. Throws a GraphError for what cannot be read. */
export function parseFields(text: string): readonly string[] {
  // Braces may stand in braces.
  const outermost = text.replaceAll(BRACES, "").replaceAll(BRACES, "");
  return outermost.split(",").map((field) => {
    const name = FIELD.exec(field)?.[1];
    if (name === undefined) {
      throw wrongParameter(`Syntax error at ${field} in fields`);
    }
    return name;
  });
}

/** What can be said of something, by name; `undefined` is left out of the answer. */
export type FieldReaders = Readonly<Record<string, () => unknown>>;

/** Says what was asked for, and the id. Throws a GraphError for a field that the thing does not have. */
export function selectFields(
  readers: FieldReaders,
  asked: readonly string[],
  type: string,
): Record<string, unknown> {
  const said: Record<string, unknown> = {};
  for (const name of [...asked, "id"]) {
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (read === undefined) {
      throw wrongParameter(`Tried accessing nonexisting field (${name}) on node type (${type})`);
    }
    const value = read();
    if (value !== undefined) {
      said[name] = value;
    }
  }
  return said;
}

/** As the service writes moments: `2026-03-04T17:20:00+0000`. */
export function formatMoment(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, "+0000");
}

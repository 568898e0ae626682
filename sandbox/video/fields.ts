// The parameter `fields`, which chooses what an answer contains: `id,from{id},comments.limit(0).summary(true)`.
import { wrongParameter } from "./graph-error.ts";

/** A field's name and its arguments. The stand-in ignores arguments, and subfields in braces. */
const FIELD = /^(\w+)(?:\.\w+\(\w+\))*$/;
const BRACES = /\{[\w,.()]+\}/g;

/** The names of the requested fields. Throws a GraphError for a syntax error. */
export function parseFields(text: string): readonly string[] {
  // Removes braces twice, because they may be nested.
  const outermost = text.replaceAll(BRACES, "").replaceAll(BRACES, "");
  return outermost.split(",").map((field) => {
    const name = FIELD.exec(field)?.[1];
    if (name === undefined) {
      throw wrongParameter(`Syntax error at ${field} in fields`);
    }
    return name;
  });
}

/** Functions that return an object's fields, by name. The answer leaves out a field that is `undefined`. */
export type FieldReaders = Readonly<Record<string, () => unknown>>;

/** Returns the requested fields and the id. Throws a GraphError for a field that the type does not have. */
export function selectFields(
  readers: FieldReaders,
  names: readonly string[],
  type: string,
): Record<string, unknown> {
  const answer: Record<string, unknown> = {};
  for (const name of [...names, "id"]) {
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (read === undefined) {
      throw wrongParameter(`Tried accessing nonexisting field (${name}) on node type (${type})`);
    }
    const value = read();
    if (value !== undefined) {
      answer[name] = value;
    }
  }
  return answer;
}

/** E.g. `2026-03-04T17:20:00+0000`. */
export function formatMoment(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, "+0000");
}

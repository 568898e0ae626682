// The language in which callers say what they want: `id,from{id},comments.limit(0).summary(true)`.
import { wrongParameter } from "./graph-error.ts";

/** A field that is asked for. */
export interface AskedField {
  readonly name: string;
  /** e.g. `limit` → `0`. */
  readonly arguments: Readonly<Record<string, string>>;
  readonly inner: readonly AskedField[];
}

/** Throws a GraphError for what cannot be read. */
export function parseFields(text: string): readonly AskedField[] {
  let at = 0;
  const fields = readList();
  if (at < text.length) {
    throw wrongSyntax();
  }
  return fields;

  function readList(): AskedField[] {
    const list: AskedField[] = [];
    do {
      list.push(readField());
    } while (skip(","));
    return list;
  }

  function readField(): AskedField {
    const name = readWord();
    const given: Record<string, string> = {};
    while (skip(".")) {
      const argument = readWord();
      if (!skip("(")) {
        throw wrongSyntax();
      }
      given[argument] = readWord();
      if (!skip(")")) {
        throw wrongSyntax();
      }
    }
    const inner = skip("{") ? readList() : [];
    if (inner.length > 0 && !skip("}")) {
      throw wrongSyntax();
    }
    return { name, arguments: given, inner };
  }

  function readWord(): string {
    const word = /^\w+/.exec(text.slice(at))?.[0];
    if (word === undefined) {
      throw wrongSyntax();
    }
    at += word.length;
    return word;
  }

  function skip(character: string): boolean {
    const isThere = text[at] === character;
    at += isThere ? 1 : 0;
    return isThere;
  }

  function wrongSyntax() {
    return wrongParameter(`Syntax error at character ${at} of fields`);
  }
}

/** What can be said of something, by name; `undefined` is left out of the answer. */
export type Sayable = Readonly<Record<string, (asked: AskedField) => unknown>>;

/** Says what was asked for, and the id. Throws a GraphError for a field that the thing does not have. */
export function say(sayable: Sayable, asked: readonly AskedField[], type: string): Record<string, unknown> {
  const said: Record<string, unknown> = {};
  for (const field of [...asked, ...parseFields("id")]) {
    const tell = Object.hasOwn(sayable, field.name) ? sayable[field.name] : undefined;
    if (tell === undefined) {
      throw wrongParameter(`Tried accessing nonexisting field (${field.name}) on node type (${type})`);
    }
    const value = tell(field);
    if (value !== undefined) {
      said[field.name] = value;
    }
  }
  return said;
}

/** As the service writes moments: `2026-03-04T17:20:00+0000`. */
export function formatMoment(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, "+0000");
}

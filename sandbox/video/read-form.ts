// Reads what a request brings in its body, in any of the three ways that the service takes.
import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import type { ReceivedFile } from "./entities.ts";
import { wrongParameter } from "./graph-error.ts";
import { readMultipart } from "./read-multipart.ts";

/** A form that arrived whole. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, ReceivedFile>>;
}

const EMPTY: Form = { fields: {}, files: {} };

/** Throws a GraphError for what cannot be read, and whatever breaks the connection. */
export async function readForm(request: IncomingMessage): Promise<Form> {
  const type = request.headers["content-type"] ?? "";
  if (type.startsWith("multipart/form-data")) {
    const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/.exec(type) ?? [];
    return readMultipart(request, quoted ?? plain ?? "");
  }
  const text = (await buffer(request)).toString();
  if (text === "") {
    return EMPTY;
  }
  if (type.startsWith("application/json")) {
    return { fields: readJsonFields(text), files: {} };
  }
  return { fields: Object.fromEntries(new URLSearchParams(text)), files: {} };
}

function readJsonFields(text: string): Readonly<Record<string, string>> {
  try {
    // Its own check follows: what is no object has no entries.
    const body = JSON.parse(text) as object;
    return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]));
  } catch {
    throw wrongParameter("The body is no JSON");
  }
}

// Reads a request's body in any of the service's three formats: multipart, JSON or URL-encoded.
import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import type { ReceivedFile } from "./entities.ts";
import { wrongParameter } from "./graph-error.ts";
import { readMultipart } from "./read-multipart.ts";

export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, ReceivedFile>>;
}

const EMPTY: Form = { fields: {}, files: {} };

/** Throws a GraphError for an invalid body, and the stream's error if the connection breaks. */
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
    // JSON that is not an object has no entries, or makes Object.entries throw.
    const body = JSON.parse(text) as object;
    return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]));
  } catch {
    throw wrongParameter("The body is not JSON");
  }
}

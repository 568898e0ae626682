// Reads bodies: JSON, or a form of files and `payload_json`.
import { DiscordError, refusal } from "../errors.ts";
import type { UploadedFile } from "../rules/attachments.ts";
import type { RequestBody } from "./environment.ts";

/** Of a whole request. */
const MAX_REQUEST_BYTES = 25 * 1024 * 1024;

const NOTHING: RequestBody = { json: undefined, files: [] };

/** Throws 50109 for what is no JSON and 40005 for too much. */
export async function readBody(request: Request): Promise<RequestBody> {
  if (request.method === "GET" || request.method === "HEAD") {
    return NOTHING;
  }
  if (Number(request.headers.get("content-length") ?? 0) > MAX_REQUEST_BYTES) {
    throw refusal("entityTooLarge");
  }
  const type = request.headers.get("content-type") ?? "";
  if (type.startsWith("multipart/form-data")) {
    return readForm(request);
  }
  const text = await request.text();
  return text === "" ? NOTHING : { json: parseJson(text), files: [] };
}

async function readForm(request: Request): Promise<RequestBody> {
  let json: unknown;
  const files: UploadedFile[] = [];
  for (const [field, value] of await formOf(request)) {
    if (field === "payload_json") {
      json = parseJson(typeof value === "string" ? value : await value.text());
    } else if (typeof value !== "string") {
      const key = /^files\[(\d+)\]$/.exec(field)?.[1] ?? String(files.length);
      files.push({ key, name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) });
    }
  }
  return { json: json ?? {}, files };
}

async function formOf(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw new DiscordError(400, 50_035, "Invalid Form Body", [
      { path: [], code: "CONTENT_TYPE_INVALID", message: "The form cannot be read." },
    ]);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusal("invalidJson");
  }
}

// Reads the bodies of requests: JSON, or a form with files and `payload_json`.
import { DiscordError, refusal } from "../errors.ts";
import type { PlatformSettings } from "../platform.ts";
import type { UploadedFile } from "../rules/attachments.ts";
import type { RequestBody } from "./environment.ts";

/** The usual size limit of a whole request. */
const MAX_REQUEST_BYTES = 25 * 1024 * 1024;

const NOTHING: RequestBody = { json: undefined, files: [] };

/** A boosted guild allows files that are larger than the usual request; then one such file fits. */
const maxBytes = ({ attachmentSizeLimitBytes }: PlatformSettings) =>
  Math.max(MAX_REQUEST_BYTES, attachmentSizeLimitBytes + 1024 * 1024);

/** Reads a request's body. Throws 50109 for invalid JSON, 50035 for an invalid form, 40005 for too many bytes. */
export async function readBody(request: Request, settings: PlatformSettings): Promise<RequestBody> {
  if (request.method === "GET" || request.method === "HEAD") {
    return NOTHING;
  }
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes(settings)) {
    throw refusal("entityTooLarge");
  }
  const type = request.headers.get("content-type") ?? "";
  if (type.startsWith("multipart/form-data")) {
    return readForm(request, maxBytes(settings));
  }
  const text = await request.text();
  return text === "" ? NOTHING : { json: parseJson(text), files: [] };
}

/** Reads a form. Adds up the sizes of its files, because a form that is sent in chunks has no Content-Length. */
async function readForm(request: Request, mostBytes: number): Promise<RequestBody> {
  let json: unknown;
  const files: UploadedFile[] = [];
  let sizeBytes = 0;
  for (const [field, value] of await formOf(request)) {
    if (field === "payload_json") {
      json = parseJson(typeof value === "string" ? value : await value.text());
    } else if (typeof value !== "string") {
      const key = /^files\[(\d+)\]$/.exec(field)?.[1] ?? String(files.length);
      sizeBytes += value.size;
      if (sizeBytes > mostBytes) {
        throw refusal("entityTooLarge");
      }
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

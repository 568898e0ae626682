// Forms with files, streamed, of a length that is known beforehand. The one door to form-data.
import { PassThrough, type Readable, finished } from "node:stream";
import FormData from "form-data";
import type { HttpBody } from "./http.ts";

/** A field of a form. */
export type FormPart = TextPart | FilePart;

export interface TextPart {
  readonly name: string;
  readonly text: string;
}

/** A file, held in memory or read as it is sent. */
export interface FilePart {
  readonly name: string;
  readonly fileName: string;
  /** MIME type, e.g. `video/mp4`. */
  readonly contentType: string;
  /** Bytes, or what opens a stream of exactly `sizeBytes`: called once for each attempt. */
  readonly content: Uint8Array | { readonly sizeBytes: number; open(): Readable };
}

/**
 * Makes a body of form fields, in this order. Each attempt gets a fresh form, and its Content-Length is sent, which
 * some services insist on. A stream of another size than it says breaks the request off; so does one that fails.
 */
export function createMultipart(parts: readonly FormPart[]): HttpBody {
  return () => {
    const form = new FormData({ maxDataSize: Number.POSITIVE_INFINITY });
    const sources = parts.map((part) => appendPart(form, part)).filter((source) => source !== undefined);
    const headers = { ...form.getHeaders(), "content-length": String(form.getLengthSync()) };
    return { headers, content: pipeForm(form, sources) };
  };
}

/** Adds a part; gives back the stream it reads from, if it is one. */
function appendPart(form: FormData, part: FormPart): Readable | undefined {
  if ("text" in part) {
    form.append(part.name, part.text);
    return undefined;
  }
  const { content, contentType, fileName: filename } = part;
  if (content instanceof Uint8Array) {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    form.append(part.name, bytes, { filename, contentType });
    return undefined;
  }
  if (content.sizeBytes === 0) {
    // form-data takes a stream's known length of 0 for an unknown one.
    form.append(part.name, Buffer.alloc(0), { filename, contentType });
    return undefined;
  }
  const source = content.open();
  form.append(part.name, source, { filename, contentType, knownLength: content.sizeBytes });
  return source;
}

/**
 * form-data is a stream of the old kind: it neither notices a source that closes early nor closes its sources when
 * nobody wants them any more, e.g. after a time-out.
 */
function pipeForm(form: FormData, sources: readonly Readable[]): Readable {
  const content = new PassThrough();
  form.on("error", (error) => content.destroy(error));
  for (const source of sources) {
    finished(source, { writable: false }, (error) => error && content.destroy(error));
    content.once("close", () => source.destroy());
  }
  return form.pipe(content);
}

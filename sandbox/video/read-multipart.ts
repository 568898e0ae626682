// Reads a form with files of any size while it arrives. https://www.rfc-editor.org/rfc/rfc7578
import { wrongParameter } from "./graph-error.ts";
import type { Form } from "./read-form.ts";
import { createFileTaker, type FileTaker } from "./received-file.ts";
import type { ReceivedFile } from "./entities.ts";

const HEADERS_END = Buffer.from("\r\n\r\n");
const MAX_HEADER_BYTES = 16 * 1024;

interface OpenPart {
  readonly name: string;
  /** `undefined` for a text field. */
  readonly file: FileTaker | undefined;
  readonly texts: Uint8Array[];
}

/** Throws a GraphError if the form is malformed or ends too early. */
export async function readMultipart(body: AsyncIterable<Uint8Array>, boundary: string): Promise<Form> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const fields: Record<string, string> = {};
  const files: Record<string, ReceivedFile> = {};
  // The first boundary has no line break before it, so this adds one.
  let pending: Buffer = Buffer.from("\r\n");
  const reader: { place: "before" | "boundary" | "headers" | "part" | "after" } = { place: "before" };
  let part: OpenPart | undefined;

  for await (const chunk of body) {
    pending = pending.byteLength === 0 ? asBuffer(chunk) : Buffer.concat([pending, chunk]);
    while (step()) {
      // Repeats until more bytes are needed.
    }
  }
  if (reader.place !== "after") {
    throw wrongParameter("The form ends too early");
  }
  return { fields, files };

  /** Parses the next item in `pending`. Returns whether to call it again before more bytes arrive. */
  function step(): boolean {
    switch (reader.place) {
      case "before":
      case "part": {
        const end = pending.indexOf(delimiter);
        const upTo = end === -1 ? beginningOf(delimiter, pending) : end;
        append(pending.subarray(0, upTo));
        pending = pending.subarray(end === -1 ? upTo : end + delimiter.byteLength);
        if (end === -1) {
          return false;
        }
        closePart();
        reader.place = "boundary";
        return true;
      }
      case "boundary":
        if (pending.byteLength < 2) {
          return false;
        }
        reader.place = pending.subarray(0, 2).toString() === "--" ? "after" : "headers";
        // The line break stays in `pending`, so that empty headers end with two.
        return true;
      case "headers": {
        const end = pending.indexOf(HEADERS_END);
        if (end === -1) {
          if (pending.byteLength > MAX_HEADER_BYTES) {
            throw wrongParameter("The headers of a part of the form are too long");
          }
          return false;
        }
        part = openPart(pending.subarray(0, end).toString());
        pending = pending.subarray(end + HEADERS_END.byteLength);
        reader.place = "part";
        return true;
      }
      case "after":
        pending = Buffer.alloc(0);
        return false;
    }
  }

  function append(bytes: Uint8Array): void {
    if (part?.file) {
      part.file.push(bytes);
    } else {
      part?.texts.push(bytes);
    }
  }

  function closePart(): void {
    if (part?.file) {
      files[part.name] = part.file.finish();
    } else if (part) {
      fields[part.name] = Buffer.concat(part.texts).toString();
    }
    part = undefined;
  }
}

function openPart(headers: string): OpenPart {
  const [, name] = /;\s*name="([^"]*)"/i.exec(headers) ?? [];
  if (name === undefined) {
    throw wrongParameter("A part of the form has no name");
  }
  const [, fileName] = /;\s*filename="([^"]*)"/i.exec(headers) ?? [];
  const [, contentType = "application/octet-stream"] = /^content-type:\s*(\S+)/im.exec(headers) ?? [];
  const file = fileName === undefined ? undefined : createFileTaker(fileName, contentType);
  return { name, file, texts: [] };
}

/** The index from which the bytes may be the beginning of a delimiter; their length if no such index exists. */
function beginningOf(delimiter: Buffer, bytes: Buffer): number {
  // A delimiter contains a carriage return only at its start.
  const at = bytes.lastIndexOf("\r");
  return at !== -1 && delimiter.indexOf(bytes.subarray(at)) === 0 ? at : bytes.byteLength;
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

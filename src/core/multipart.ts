// Multipart forms with files, streamed, whose length is known in advance. form-data, which only this module uses,
// writes the part headers and boundaries. The files' bytes bypass it, because its streams are the most expensive part
// of an upload in a hundred pieces.
import { Readable } from "node:stream";
import type { HttpBody } from "./http.ts";
import { allocateBytes } from "./large-bytes.ts";
import { loadFormData } from "./late-libraries.ts";

export type FormPart = TextPart | FilePart;

export interface TextPart {
  readonly name: string;
  readonly text: string;
}

/** A file, in memory or read while it is sent. */
export interface FilePart<Content = Uint8Array | OpenableContent> {
  readonly name: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Content;
}

/** Opens a stream of exactly `sizeBytes`. Called once for each attempt. */
interface OpenableContent {
  readonly sizeBytes: number;
  open(): AsyncIterable<Uint8Array>;
}

type Segment = Uint8Array | AsyncIterable<Uint8Array>;

/** Its Content-Length is sent, because some services require it. A stream of another size fails the request. */
export function createMultipart(parts: readonly FormPart[]): HttpBody {
  return () => {
    const { headers, contents } = layOut(parts);
    return {
      headers,
      content: streamSegments(contents.map((each) => (each instanceof Uint8Array ? each : each.open()))),
    };
  };
}

/** Returns a whole form as one block of bytes; its files must be in memory. */
export function joinMultipart(parts: readonly (TextPart | FilePart<Uint8Array>)[]) {
  const { headers, contents } = layOut(parts);
  const bytes = allocateBytes(Number(headers["content-length"]));
  let filled = 0;
  for (const each of contents) {
    bytes.set(each, filled);
    filled += each.byteLength;
  }
  return { headers, bytes };
}

/** Returns a form's headers, and its contents in order: the files, with one block of bytes between every two of them. */
function layOut<Content extends FilePart["content"]>(parts: readonly (TextPart | FilePart<Content>)[]) {
  let form = new (loadFormData())();
  const headers = form.getHeaders();
  const boundary = form.getBoundary();
  /** Everything between two files is sent in one write, because each write costs the bot and the service some time. */
  const contents: (Uint8Array | Content)[] = [];
  let afterFile = "";
  for (const part of parts) {
    if ("text" in part) {
      form.append(part.name, part.text);
    } else {
      const { name, fileName: filename, contentType, content } = part;
      form.append(name, Buffer.alloc(0), { filename, contentType });
      // Removes the line break and the closing boundary that form-data appends after the empty file.
      const head = form.getBuffer().subarray(0, -`\r\n--${boundary}--\r\n`.length);
      contents.push(Buffer.concat([Buffer.from(afterFile), head]), content);
      form = new (loadFormData())();
      form.setBoundary(boundary);
      afterFile = "\r\n";
    }
  }
  contents.push(Buffer.concat([Buffer.from(afterFile), form.getBuffer()]));
  const sizeBytes = contents.reduce(
    (sum, each) => sum + (each instanceof Uint8Array ? each.byteLength : each.sizeBytes),
    0,
  );
  return { headers: { ...headers, "content-length": String(sizeBytes) }, contents };
}

/** Closes the segments' streams even if nobody reads it to its end, e.g. after a timeout. */
function streamSegments(segments: readonly Segment[]): Readable {
  const chunks = readSegments(segments);
  const streams = segments.filter((segment) => segment instanceof Readable);
  for (const stream of streams) {
    // The reader gets the error.
    stream.on("error", () => {});
  }
  const content = new Readable({
    read() {
      chunks.next().then(
        ({ value }) => content.push(value ?? null),
        (error: unknown) => content.destroy(asError(error)),
      );
    },
  });
  content.once("close", () => {
    for (const stream of streams) {
      stream.destroy();
    }
    // A pending read ends when its chunk arrives.
    chunks.return(undefined).catch(() => {});
  });
  return content;
}

async function* readSegments(segments: readonly Segment[]): AsyncGenerator<Uint8Array, undefined, void> {
  for (const segment of segments) {
    if (segment instanceof Uint8Array) {
      yield segment;
    } else {
      yield* segment;
    }
  }
  return undefined;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error("a stream failed", { cause: error });
}

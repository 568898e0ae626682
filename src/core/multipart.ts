// Forms with files, streamed, of a length that is known beforehand. form-data, used here only, writes their heads
// and boundaries. The files' bytes go past it: its own streams cost most where a video goes up in a hundred pieces.
import { Readable } from "node:stream";
import type { HttpBody } from "./http.ts";
import { allocateBytes } from "./large-bytes.ts";
import { loadFormData } from "./late-libraries.ts";

export type FormPart = TextPart | FilePart;

export interface TextPart {
  readonly name: string;
  readonly text: string;
}

/** A file, held in memory or read as it is sent. */
export interface FilePart<Content = Uint8Array | OpenableContent> {
  readonly name: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Content;
}

/** Opens a stream of exactly `sizeBytes`: called once for each attempt. */
interface OpenableContent {
  readonly sizeBytes: number;
  open(): AsyncIterable<Uint8Array>;
}

/** What is sent in one go: bytes, or as they come. */
type Segment = Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Makes a body of form fields, in this order. Each attempt gets a fresh form, and its Content-Length is sent, which
 * some services insist on. A stream of another size than it says breaks the request off; so does one that fails.
 */
export function createMultipart(parts: readonly FormPart[]): HttpBody {
  return () => {
    const { headers, contents } = layOut(parts);
    return {
      headers,
      content: streamSegments(contents.map((each) => (each instanceof Uint8Array ? each : each.open()))),
    };
  };
}

/** The same in one piece, of files that are held in memory. */
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

/** A form's headers, and its pieces in order: each file as it is, and one piece for all that is between two of them. */
function layOut<Content extends FilePart["content"]>(parts: readonly (TextPart | FilePart<Content>)[]) {
  let form = new (loadFormData())();
  const headers = form.getHeaders();
  const boundary = form.getBoundary();
  /** Everything between two files goes out in one write: each write costs the bot and the service some time. */
  const contents: (Uint8Array | Content)[] = [];
  let afterFile = "";
  for (const part of parts) {
    if ("text" in part) {
      form.append(part.name, part.text);
    } else {
      const { name, fileName: filename, contentType, content } = part;
      form.append(name, Buffer.alloc(0), { filename, contentType });
      // Cuts off the line break and the closing boundary that form-data appends after the empty file.
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

/** One after the other; closes streams also when nobody wants them any more, e.g. after a time-out. */
function streamSegments(segments: readonly Segment[]): Readable {
  const chunks = readSegments(segments);
  const streams = segments.filter((segment) => segment instanceof Readable);
  for (const stream of streams) {
    // What it fails with comes out where it is read.
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
    // What waits for a chunk ends by itself, once that has come.
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

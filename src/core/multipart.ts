// Forms with files, streamed, of a length that is known beforehand. form-data, used here only, writes their heads
// and boundaries. The files' bytes go past it: its own streams cost most where a video goes up in a hundred pieces.
import { Readable } from "node:stream";
import type FormData from "form-data";
import type { HttpBody } from "./http.ts";
import { loadFormData } from "./late-libraries.ts";

export type FormPart = TextPart | FilePart;

export interface TextPart {
  readonly name: string;
  readonly text: string;
}

/** A file, held in memory or read as it is sent. */
export interface FilePart {
  readonly name: string;
  readonly fileName: string;
  readonly contentType: string;
  /** Bytes, or what opens a stream of exactly `sizeBytes`: called once for each attempt. */
  readonly content: Uint8Array | { readonly sizeBytes: number; open(): AsyncIterable<Uint8Array> };
}

/** What is sent in one go: bytes, or as they come. */
type Segment = Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Makes a body of form fields, in this order. Each attempt gets a fresh form, and its Content-Length is sent, which
 * some services insist on. A stream of another size than it says breaks the request off; so does one that fails.
 */
export function createMultipart(parts: readonly FormPart[]): HttpBody {
  return () => {
    const form = new (loadFormData())({ maxDataSize: Number.POSITIVE_INFINITY });
    // Written without its files, and cut where they belong.
    const cuts = parts.flatMap((part) => appendPart(form, part));
    const written = form.getBuffer();
    const filesBytes = cuts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const segments = cuts.flatMap(({ atByte, segment }, index): Segment[] => [
      written.subarray(cuts[index - 1]?.atByte ?? 0, atByte),
      segment,
    ]);
    segments.push(written.subarray(cuts.at(-1)?.atByte ?? 0));
    const headers = { ...form.getHeaders(), "content-length": String(written.byteLength + filesBytes) };
    return { headers, content: streamSegments(segments) };
  };
}

/** A file's place in a form that was written without it. */
interface Cut {
  readonly atByte: number;
  readonly segment: Segment;
  readonly sizeBytes: number;
}

/** Adds a part; gives back the place of its file, if it is one. */
function appendPart(form: FormData, part: FormPart): Cut[] {
  if ("text" in part) {
    form.append(part.name, part.text);
    return [];
  }
  const { content, contentType, fileName: filename } = part;
  form.append(part.name, Buffer.alloc(0), { filename, contentType });
  // After the place comes the end of a line, then the last boundary.
  const endBytes = Buffer.byteLength(`\r\n--${form.getBoundary()}--\r\n`);
  const atByte = form.getLengthSync() - endBytes;
  return content instanceof Uint8Array
    ? [{ atByte, segment: content, sizeBytes: content.byteLength }]
    : [{ atByte, segment: content.open(), sizeBytes: content.sizeBytes }];
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

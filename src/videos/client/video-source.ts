// The video file that is being sent. It is never held in memory, but read where and when it is needed.
import type { Readable } from "node:stream";
import type { FileSource } from "../../core/attachments.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Fields } from "./video-api.ts";

export interface VideoDetails {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Milliseconds since the epoch; `undefined` to publish it immediately. */
  readonly publishAtMs?: number | undefined;
}

export const VIDEO_EXTENSIONS: ReadonlySet<string> = new Set(
  "3g2 3gp 3gpp asf avi dat divx dv f4v flv gif m2ts m4v mkv mod mov mp4 mpe mpeg mpeg4 mpg mts nsv ogm ogv qt tod ts vob webm wmv".split(
    " ",
  ),
);

const EXTENSION_BY_TYPE: Readonly<Record<string, string>> = {
  "video/quicktime": "mov",
  "video/x-matroska": "mkv",
  "video/webm": "webm",
  "video/x-msvideo": "avi",
  "video/x-ms-wmv": "wmv",
  "video/mpeg": "mpg",
  "video/3gpp": "3gp",
};

/** Returns a neutral file name with the right extension, without which the service refuses the file (its error 352). */
export function nameVideo({ fileName, contentType }: Pick<FileSource, "fileName" | "contentType">): string {
  const [, extension = ""] = /\.(\w+)$/.exec(fileName.toLowerCase()) ?? [];
  return `video.${VIDEO_EXTENSIONS.has(extension) ? extension : (EXTENSION_BY_TYPE[contentType] ?? "mp4")}`;
}

/** The service expects booleans as words and times in seconds. */
export function describeDetails({ title, description, publishAtMs }: VideoDetails): Fields {
  const time = formatSeconds(publishAtMs);
  return { title, description, published: time && "false", scheduled_publish_time: time };
}

export function formatSeconds(atMs: number | undefined): string | undefined {
  return atMs === undefined ? undefined : String(Math.round(atMs / 1000));
}

// Reads a source range by range: in one stream as long as the ranges follow each other, otherwise in a new one.

interface Reading {
  readonly stream: Readable;
  readonly chunks: AsyncIterator<Uint8Array>;
  /** Bytes that have been read but not yet returned. */
  rest: Uint8Array;
  positionByte: number;
}

/** `onProgress` receives the number of bytes that have been returned, which never decreases. */
export function createSourceCursor(
  source: FileSource,
  onProgress: ((doneBytes: number) => void) | undefined,
) {
  let doneBytes = 0;
  /** The stream that nobody reads now; the next `take` may continue it. */
  let idle: Reading | undefined;
  let isClosed = false;

  async function openAt(startByte: number): Promise<Reading> {
    const found = idle;
    idle = undefined;
    if (found?.positionByte === startByte) {
      return found;
    }
    discard(found);
    const stream = await source.open(startByte);
    const chunks = stream[Symbol.asyncIterator]();
    return { stream, chunks, rest: new Uint8Array(), positionByte: startByte };
  }

  return {
    /** `endByte` is exclusive. Read or abandon the bytes before the next `take`. */
    async *take(startByte: number, endByte: number): AsyncGenerator<Uint8Array> {
      const from = await openAt(startByte);
      try {
        while (from.positionByte < endByte) {
          const bytes = (await takeChunk(from)).subarray(0, endByte - from.positionByte);
          from.rest = from.rest.subarray(bytes.byteLength);
          from.positionByte += bytes.byteLength;
          // The next `take` may come before this one is asked for more.
          idle = from.positionByte === endByte ? from : idle;
          if (from.positionByte > doneBytes) {
            doneBytes = from.positionByte;
            onProgress?.(doneBytes);
          }
          yield bytes;
        }
      } finally {
        if (isClosed || from.positionByte < endByte) {
          discard(from);
        }
      }
    },
    close(): void {
      isClosed = true;
      discard(idle);
    },
  };
}

async function takeChunk(from: Reading): Promise<Uint8Array> {
  if (from.rest.byteLength === 0) {
    const next = await from.chunks.next();
    if (next.done === true) {
      throw new ServiceError("source", "unexpected-answer", "the file ended before its announced size");
    }
    from.rest = next.value;
  }
  return from.rest;
}

function discard(reading: Reading | undefined): void {
  reading?.stream.on("error", () => {}).destroy();
}

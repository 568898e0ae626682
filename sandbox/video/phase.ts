// Finds the phase of an upload before its body is read, so that faults can affect a single phase.
import type { IncomingMessage } from "node:http";

const PHASE =
  /name="upload_phase"\r\n\r\n(start|transfer|finish|cancel)|\bupload_phase=(start|transfer|finish|cancel)\b/;
/** Only this much of a body is searched, because clients send fields before the file. */
const SEARCHED_BYTES = 4096;

/**
 * The path without the version. An upload's path gets its phase, e.g. `/me/videos/transfer`, or else `/me/videos/simple`.
 * Reads the first bytes of an upload's body and puts them back.
 */
export async function faultPathOf(request: IncomingMessage): Promise<string> {
  const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
  const path = pathname.replace(/^\/v\d+\.\d+(?=\/)/, "");
  if (request.method !== "POST" || !/^\/[^/]+\/videos$/.test(path)) {
    return path;
  }
  const [, inForm, inQuery] = PHASE.exec(await peek(request)) ?? [];
  return `${path}/${inForm ?? inQuery ?? "simple"}`;
}

/** Reads until the phase is known, a file begins or the body ends; only the first chunk of a body without a length. */
async function peek(request: IncomingMessage): Promise<string> {
  const wholeBytes = Number(request.headers["content-length"] ?? 0);
  let seen = Buffer.alloc(0);
  do {
    const chunk = await nextChunk(request);
    if (chunk === null) {
      break;
    }
    seen = Buffer.concat([seen, chunk]);
  } while (seen.byteLength < Math.min(wholeBytes, SEARCHED_BYTES) && !isDecided(textOf(seen)));
  if (seen.byteLength > 0) {
    request.unshift(seen);
  }
  return textOf(seen);
}

function textOf(seen: Buffer): string {
  return seen.toString("latin1", 0, SEARCHED_BYTES);
}

function isDecided(text: string): boolean {
  return PHASE.test(text) || text.includes('filename="');
}

/** `null` at the end of the body, even if it comes too early. */
function nextChunk(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const settle = (chunk: Buffer | null): void => {
      request.off("readable", onReadable).off("close", onClose);
      resolve(chunk);
    };
    // A stream without an encoding returns buffers.
    const onReadable = (): void => settle(request.read() as Buffer | null);
    const onClose = (): void => settle(null);
    request.once("readable", onReadable).once("close", onClose);
  });
}

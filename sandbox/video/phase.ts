// Tells the phases of an upload apart before its body is read, so that faults can meet one of them.
import type { IncomingMessage } from "node:http";

/** The words for what an upload's request does. */
const PHASE =
  /name="upload_phase"\r\n\r\n(start|transfer|finish|cancel)|\bupload_phase=(start|transfer|finish|cancel)\b/;
/** Fields come first; none that comes later is looked for. */
const LOOK_AT_BYTES = 4096;

/**
 * The path without the version, `/me/videos/transfer` for an upload's phase and `/me/videos/simple` for one without.
 * Looks at the first bytes of such a body and puts them back.
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

/** What comes first: until the phase is told, a file begins, or all is there. A body without a length is not waited for. */
async function peek(request: IncomingMessage): Promise<string> {
  const wholeBytes = Number(request.headers["content-length"] ?? 0);
  let seen = Buffer.alloc(0);
  do {
    const chunk = await nextChunk(request);
    if (chunk === null) {
      break;
    }
    seen = Buffer.concat([seen, chunk]);
  } while (seen.byteLength < Math.min(wholeBytes, LOOK_AT_BYTES) && !isTold(textOf(seen)));
  if (seen.byteLength > 0) {
    request.unshift(seen);
  }
  return textOf(seen);
}

function textOf(seen: Buffer): string {
  return seen.toString("latin1", 0, LOOK_AT_BYTES);
}

function isTold(text: string): boolean {
  return PHASE.test(text) || text.includes('filename="');
}

/** `null` at the end, also at one that comes too early. */
function nextChunk(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const settle = (chunk: Buffer | null): void => {
      request.off("readable", look).off("close", close);
      resolve(chunk);
    };
    // A stream without an encoding gives buffers.
    const look = (): void => settle(request.read() as Buffer | null);
    const close = (): void => settle(null);
    request.once("readable", look).once("close", close);
  });
}

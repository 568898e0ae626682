// What was made, to be fetched by its address, and what is handed out in its place on bad days.
import type { Result } from "./shapes.ts";

/** What stands where a picture should. */
export type FalseResult = "text" | "huge" | "redirect";

export interface Results {
  /** Keeps a picture; the oldest go when there are many. */
  add(bytes: Uint8Array): Result;
  /** Keeps something else under an address of the same kind. */
  addFalse(what: FalseResult): string;
  /** The picture of this name, as long as it is kept. */
  find(name: string): Result | undefined;
  /** What stands at an address; `undefined` where nothing does. */
  open(name: string): Response | undefined;
}

const MOST_RESULTS = 32;
const HUGE_BYTES = 300 * 1024 * 1024;
const CHUNK = new Uint8Array(1024 * 1024);

export function createResults(baseUrl: () => string): Results {
  const kept = new Map<string, Result | FalseResult>();
  let count = 0;

  function keep(name: string, what: Result | FalseResult): void {
    kept.set(name, what);
    const [oldest] = kept.keys();
    if (kept.size > MOST_RESULTS && oldest !== undefined) {
      kept.delete(oldest);
    }
  }

  return {
    add(bytes) {
      count += 1;
      const contentType = bytes[0] === 0x89 ? "image/png" : "image/jpeg";
      const name = `r${count}.${contentType === "image/png" ? "png" : "jpg"}`;
      const result = { id: `r${count}`, bytes, contentType, url: `${baseUrl()}/outputs/${name}` };
      keep(name, result);
      return result;
    },
    addFalse(what) {
      count += 1;
      keep(`r${count}.jpg`, what);
      return `${baseUrl()}/outputs/r${count}.jpg`;
    },
    find(name) {
      const found = kept.get(name);
      return typeof found === "string" ? undefined : found;
    },
    open(name) {
      const found = kept.get(name);
      switch (found) {
        case undefined:
          return undefined;
        case "text":
          return new Response("This is not a picture.", { headers: { "content-type": "image/jpeg" } });
        case "redirect":
          return new Response(null, { status: 302, headers: { location: "http://169.254.169.254/latest/" } });
        case "huge":
          return new Response(zeros(HUGE_BYTES), { headers: { "content-type": "image/jpeg" } });
        default:
          return new Response(new Uint8Array(found.bytes), {
            headers: { "content-type": found.contentType },
          });
      }
    },
  };
}

/** A body that is made as it is read. */
function zeros(sizeBytes: number): ReadableStream<Uint8Array> {
  let left = sizeBytes;
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) {
        controller.close();
        return;
      }
      left -= CHUNK.byteLength;
      controller.enqueue(CHUNK);
    },
  });
}

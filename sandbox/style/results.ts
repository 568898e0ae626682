// Finished pictures, which are served under addresses of their own, and the broken answers and files of faults.
import type { StyleAlteration } from "./faults.ts";
import type { Jobs } from "./jobs.ts";

export interface Result {
  readonly id: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly url: string;
}

/** How a picture is returned: as an address, in the answer itself, or as a job to poll. */
export const ANSWER_SHAPES = ["url", "base64", "job"] as const;

type BrokenResult = "text" | "huge" | "redirect";

export type Results = ReturnType<typeof createResults>;

const MAX_RESULTS = 32;
const HUGE_BYTES = 300 * 1024 * 1024;
const CHUNK = new Uint8Array(1024 * 1024);

export function createResults(baseUrl: () => string) {
  const stored = new Map<string, Result | BrokenResult>();
  let count = 0;

  function store(name: string, what: Result | BrokenResult): void {
    stored.set(name, what);
    const [oldest] = stored.keys();
    if (stored.size > MAX_RESULTS && oldest !== undefined) {
      stored.delete(oldest);
    }
  }

  return {
    /** Only the last 32 results are kept. */
    add(bytes: Uint8Array): Result {
      count += 1;
      const contentType = bytes[0] === 0x89 ? "image/png" : "image/jpeg";
      const name = `r${count}.${contentType === "image/png" ? "png" : "jpg"}`;
      const result = { id: `r${count}`, bytes, contentType, url: `${baseUrl()}/outputs/${name}` };
      store(name, result);
      return result;
    },
    /** Stores a broken result and returns its address, which looks like a picture's. */
    addBroken(what: BrokenResult) {
      count += 1;
      store(`r${count}.jpg`, what);
      return `${baseUrl()}/outputs/r${count}.jpg`;
    },
    /** The response for an address's last part; `undefined` if there is no such result. */
    open(name: string) {
      const found = stored.get(name);
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

/** The answer to a picture that was processed, changed by a fault. */
export function answerAltered(
  alteration: StyleAlteration,
  result: Result,
  { jobs, results, jobMs }: { readonly jobs: Jobs; readonly results: Results; readonly jobMs: number },
): Response {
  switch (alteration) {
    case "filtered": {
      const base64 = Buffer.from(result.bytes).toString("base64");
      return Response.json({ artifacts: [{ base64, finishReason: "CONTENT_FILTERED" }] });
    }
    case "failed-job":
      return jobs.start(result, "failed", jobMs);
    case "endless-job":
      return jobs.start(result, "never", jobMs);
    case "no-picture":
      return Response.json({ outcome: { colours: 12, mood: "bright" } });
    case "text-result":
      return linkTo(results.addBroken("text"));
    case "huge-result":
      return linkTo(results.addBroken("huge"));
    case "redirected-result":
      return linkTo(results.addBroken("redirect"));
    case "private-result":
      return linkTo("http://127.0.0.1:1/result.jpg");
    case "metadata-result":
      return linkTo("http://169.254.169.254/latest/meta-data/result.jpg");
  }
}

function linkTo(url: string): Response {
  return Response.json({ output_url: url });
}

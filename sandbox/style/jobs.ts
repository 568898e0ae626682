// Work that takes its time, on the sandbox's clock.
import type { Clock } from "../clock/clock.ts";
import type { Result, Said } from "./shapes.ts";

/** How a job ends. */
export type JobEnd = "picture" | "failed" | "never";

/** The shapes that are jobs. */
export type JobShape = "job" | "queue" | "location";

interface Job {
  readonly id: string;
  readonly shape: JobShape;
  readonly result: Result;
  readonly end: JobEnd;
  readonly startedAt: number;
  readonly durationMs: number;
  isCancelled: boolean;
}

export interface Jobs {
  /** Takes a job and says how it can be asked after. */
  start(shape: JobShape, result: Result, end: JobEnd, durationMs: number): Said;
  /** How a job is; `undefined` for one that nobody knows. */
  look(id: string): Said | undefined;
  /** The result of a `queue`; `undefined` until it is there. */
  result(id: string): Said | undefined;
  /** Whether there was one to cancel. */
  cancel(id: string): boolean;
}

/** `baseUrl` is read when it is needed: the server knows its port only once it listens. */
export function createJobs(clock: Clock, baseUrl: () => string): Jobs {
  const jobs = new Map<string, Job>();
  const urlOf = (id: string, part = ""): string => `${baseUrl()}/jobs/${id}${part}`;
  const shareOf = ({ end, startedAt, durationMs }: Job): number =>
    Math.min(end === "never" ? 0.9 : 1, (clock.now() - startedAt) / Math.max(1, durationMs));

  return {
    start(shape, result, end, durationMs) {
      const { id } = result;
      jobs.set(id, { id, shape, result, end, durationMs, startedAt: clock.now(), isCancelled: false });
      switch (shape) {
        case "job":
          return { status: 201, body: prediction(id, "starting", null) };
        case "queue":
          return {
            status: 200,
            body: { request_id: id, status_url: urlOf(id, "/status"), response_url: urlOf(id, "/result") },
          };
        case "location":
          return { status: 202, headers: { location: `/jobs/${id}` }, body: {} };
      }
    },
    look(id) {
      const job = jobs.get(id);
      return job && { status: 200, ...stateOf(job) };
    },
    result(id) {
      const job = jobs.get(id);
      return job && shareOf(job) === 1
        ? { status: 200, body: { images: [{ url: job.result.url, content_type: job.result.contentType }] } }
        : undefined;
    },
    cancel(id) {
      const job = jobs.get(id);
      if (job) {
        job.isCancelled = true;
      }
      return job !== undefined;
    },
  };

  function prediction(id: string, status: string, output: unknown, more: object = {}): object {
    return { id, status, output, urls: { get: urlOf(id), cancel: urlOf(id, "/cancel") }, ...more };
  }

  function stateOf(job: Job): Omit<Said, "status"> {
    const { id, shape, result, end } = job;
    const share = shareOf(job);
    if (job.isCancelled) {
      return { body: prediction(id, "canceled", null) };
    }
    if (share === 1 && end === "failed") {
      return { body: prediction(id, "failed", null, { error: "the model ran out of memory" }) };
    }
    switch (shape) {
      case "job":
        return share === 1
          ? { body: prediction(id, "succeeded", [result.url]) }
          : { body: prediction(id, "processing", null, { progress: share }) };
      case "queue":
        return share === 1
          ? { body: { status: "COMPLETED" } }
          : { body: share < 0.4 ? { status: "IN_QUEUE", queue_position: 2 } : { status: "IN_PROGRESS" } };
      case "location":
        return share === 1
          ? { headers: { "content-type": result.contentType }, body: result.bytes }
          : { body: { progress: String(Math.floor(share * 100)) } };
    }
  }
}

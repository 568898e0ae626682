// Jobs that take time on the sandbox's clock.
import type { Clock } from "../clock/clock.ts";
import { Refusal } from "./restyle-request.ts";
import type { Result } from "./results.ts";

export type JobOutcome = "picture" | "failed" | "never";

interface Job {
  readonly result: Result;
  readonly outcome: JobOutcome;
  readonly startedAt: number;
  readonly durationMs: number;
  isCancelled: boolean;
}

export type Jobs = ReturnType<typeof createJobs>;

/** `baseUrl` is a function because the server knows its port only once it listens. */
export function createJobs(clock: Clock, baseUrl: () => string) {
  const jobs = new Map<string, Job>();

  function prediction(id: string, status: string, output: unknown, more: object = {}): object {
    const get = `${baseUrl()}/jobs/${id}`;
    return { id, status, output, urls: { get, cancel: `${get}/cancel` }, ...more };
  }

  function stateOf({ result, outcome, startedAt, durationMs, isCancelled }: Job): object {
    const { id, url } = result;
    const share = Math.min(
      outcome === "never" ? 0.9 : 1,
      (clock.now() - startedAt) / Math.max(1, durationMs),
    );
    if (isCancelled) {
      return prediction(id, "canceled", null);
    }
    if (share < 1) {
      return prediction(id, "processing", null, { progress: share });
    }
    return outcome === "failed"
      ? prediction(id, "failed", null, { error: "the model ran out of memory" })
      : prediction(id, "succeeded", [url]);
  }

  function jobOf(id: string): Job {
    const job = jobs.get(id);
    if (!job) {
      throw new Refusal(404, "task_not_found", "There is no such job");
    }
    return job;
  }

  return {
    /** Starts a job and returns its state, with the address at which to poll it. */
    start(result: Result, outcome: JobOutcome, durationMs: number): Response {
      const { id } = result;
      jobs.set(id, { result, outcome, durationMs, startedAt: clock.now(), isCancelled: false });
      return Response.json(prediction(id, "starting", null), { status: 201 });
    },
    /** Throws a Refusal if there is no such job. */
    get(id: string): Response {
      return Response.json(stateOf(jobOf(id)));
    },
    /** Returns the state of the cancelled job. Throws a Refusal if there is no such job. */
    cancel(id: string): Response {
      const job = jobOf(id);
      job.isCancelled = true;
      return Response.json(stateOf(job));
    },
  };
}

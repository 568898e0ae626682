// How an attempt went, for the log and for whoever counts.
import type { Clock } from "./clock.ts";
import { ServiceError } from "./errors.ts";
import type { AttemptProgress } from "./http-failure.ts";
import type { HttpRequest } from "./http-types.ts";
import type { Log } from "./log.ts";
import type { Meter } from "./meter.ts";

/** What a report stands on. */
export interface ReportDependencies {
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** Takes how one attempt goes; its time runs from the moment when this is made. */
export interface AttemptReport {
  /** An answer is there; `message` for the log. */
  readonly answered: (message: string) => void;
  /** It failed with this. */
  readonly failed: (failure: unknown) => void;
  /** Nothing more comes of it. */
  readonly ended: () => void;
}

/** Begins one. Of `progress` it tells what that says by then. */
export function createReport(
  { clock, log, meter }: ReportDependencies,
  { service, verb }: Pick<HttpRequest, "service" | "verb">,
  progress: AttemptProgress,
): AttemptReport {
  const startedAtMs = clock.elapsed();
  const elapsedMs = (): number => clock.elapsed() - startedAtMs;
  let failedAs: string | undefined;
  return {
    answered(message) {
      log.debug({ service, verb, status: progress.status, milliseconds: elapsedMs() }, message);
    },
    failed(failure) {
      failedAs = failure instanceof ServiceError ? failure.kind : "bug";
      const { status } = progress;
      log[failedAs === "aborted" ? "debug" : "warn"](
        { service, verb, kind: failedAs, status, milliseconds: elapsedMs() },
        "a request failed",
      );
    },
    ended() {
      meter.asked(service, verb, failedAs ?? String(progress.status), elapsedMs());
    },
  };
}

// What sending a stream and opening one have in common: who may stop it, what is known of it, what is told of it.
import type { AttemptDependencies } from "./http-attempt.ts";
import { type AttemptProgress, explainFailure, TimeoutReason } from "./http-failure.ts";
import { createReport } from "./http-report.ts";
import type { HttpRequest, HttpStreamRequest } from "./http-types.ts";
import { type IdleWatch, watchIdle } from "./http-stream-idle.ts";

/** A request whose bytes are on their way. */
export interface StreamAttempt {
  readonly progress: AttemptProgress;
  readonly idle: IdleWatch;
  /** Aborts when the caller's does, and when nothing moves. */
  readonly signal: AbortSignal;
  /** Logs how far it came. */
  readonly tell: (message: string) => void;
  /** Names what went wrong, and logs it. Whoever gives up when all is sent cannot know whether it was taken. */
  readonly explain: (error: unknown) => unknown;
  /** Counts it, and lets go of the clock and of the caller's signal. */
  readonly release: () => void;
}

/** Begins one; `signal` is the caller's. */
export function beginStream(
  dependencies: AttemptDependencies,
  request: HttpStreamRequest & Pick<HttpRequest, "method">,
  signal: AbortSignal,
): StreamAttempt {
  const { idleMs } = request;
  const progress: AttemptProgress = { sent: false, status: undefined };
  const report = createReport(dependencies, request, progress);
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const idle = watchIdle(dependencies.clock, idleMs, () =>
    stop.abort(new TimeoutReason(`nothing moved for ${idleMs} ms`)),
  );

  return {
    progress,
    idle,
    signal: stop.signal,
    tell: report.answered,
    explain(error) {
      const failure = explainFailure(error, request, progress, signal.aborted && !progress.sent);
      report.failed(failure);
      return failure;
    },
    release() {
      report.ended();
      idle.stop();
      signal.removeEventListener("abort", onAbort);
    },
  };
}

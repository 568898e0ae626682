// How often a question is wanted by watches, and by watches and boards together.
import type { TimeSpan } from "./board-data.ts";
import type { QuestionDemand } from "./question-demand.ts";

const MINUTE_MS = 60_000;

/**
 * What watches want within `window`: an answer each minute of their spans. A span that has begun counts with all of
 * it, so that what it gets is spread over the whole of it and not heaped at its end.
 */
export function watchDemand(spans: readonly TimeSpan[], window: TimeSpan): QuestionDemand {
  const windowMs = window.toMs - window.fromMs;
  const joined = join(
    spans
      .filter(({ fromMs, toMs }) => fromMs < window.toMs && window.fromMs <= toMs)
      .map(({ fromMs, toMs }) => ({ fromMs, toMs: Math.min(toMs, window.toMs) })),
  );
  const coveredMs = joined.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const activeMs = Math.min(windowMs, coveredMs);
  // A minute ahead: so long may pass until somebody counts again.
  const isActive = joined.some(({ fromMs }) => fromMs <= window.fromMs + MINUTE_MS);
  return { slots: Math.ceil(activeMs / MINUTE_MS), activeMs, isActive };
}

/** What both want. Boards' moments within the time of watches are moments of watches too. */
export function bothDemands(
  boards: QuestionDemand,
  watches: QuestionDemand,
  windowMs: number,
): QuestionDemand {
  const boardsAlone = Math.ceil(boards.slots * (1 - watches.activeMs / windowMs));
  return {
    slots: Math.min(watches.slots + boardsAlone, Math.ceil(windowMs / MINUTE_MS)),
    activeMs: Math.max(boards.activeMs, watches.activeMs),
    isActive: boards.isActive || watches.isActive,
  };
}

/** Spans without overlaps, in order. */
function join(spans: readonly TimeSpan[]): readonly TimeSpan[] {
  const joined: TimeSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = joined.at(-1);
    if (last === undefined || last.toMs < span.fromMs) {
      joined.push(span);
    } else {
      joined[joined.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, span.toMs) };
    }
  }
  return joined;
}

// The words in which services say how far they are.
import type { Fields } from "./answer-fields.ts";

/** `refused`: for the picture's content. */
export type Stage = "done" | "running" | "failed" | "refused";

const STATUS_KEYS = ["status", "state", "finish_reason", "finishReason"] as const;

/** Small letters, without spaces, `_` and `-`. Numbers are left out: 2 means "failed" at one and "running" at another. */
const WORDS: Readonly<Record<Stage, readonly string[]>> = {
  done: ["succeeded", "success", "completed", "complete", "finished", "done", "ready", "ok"],
  running: [
    "starting",
    "started",
    "queued",
    "inqueue",
    "new",
    "created",
    "accepted",
    "waiting",
    "pending",
    "processing",
    "inprogress",
    "running",
    "unknown",
  ],
  failed: [
    "failed",
    "failure",
    "error",
    "canceled",
    "cancelled",
    "aborted",
    "expired",
    "timeout",
    "tasknotfound",
  ],
  refused: [
    "rejected",
    "moderated",
    "requestmoderated",
    "contentmoderated",
    "filtered",
    "contentfilter",
    "contentfiltered",
  ],
};

const STAGES: ReadonlyMap<string, Stage> = new Map(
  // Object.entries forgets that the keys are the stages.
  (Object.entries(WORDS) as [Stage, readonly string[]][]).flatMap(([stage, words]) =>
    words.map((word) => [word, stage] as const),
  ),
);

/** What one object says of itself, in any of the fields where it may. Words that nobody knows say nothing. */
export function readStages(fields: Fields): readonly Stage[] {
  return STATUS_KEYS.flatMap((key) => readStage(fields[key]) ?? []);
}

/** What one value says. */
export function readStage(value: unknown): Stage | undefined {
  return typeof value === "string" ? STAGES.get(value.toLowerCase().replace(/[\s_-]+/g, "")) : undefined;
}

/** Whether the words mean that there is, and will be, no picture. */
export function isBad(stage: Stage): stage is "failed" | "refused" {
  return stage === "failed" || stage === "refused";
}

// How far a video is. The service has a word for the whole and one for each phase; any may be missing or new.
import { z } from "zod";
import { count, flag, list, moment, part, text } from "./read-values.ts";

/**
 * `processing` is also what is not understood: it goes on. `draft` and `scheduled` are ready, but nobody sees them;
 * `expired` was never finished in time.
 */
export type VideoStage =
  | "uploading"
  | "processing"
  | "draft"
  | "scheduled"
  | "published"
  | "failed"
  | "expired";

export interface VideoStatus {
  readonly stage: VideoStage;
  /** Of the processing, where it is told. */
  readonly percent: number | undefined;
  /** What the service says went wrong, for logs; `undefined` unless it failed. */
  readonly problem: string | undefined;
}

const phase = part({
  status: text,
  publish_status: text,
  // The service's own guide spells it both ways.
  errors: list(z.object({ message: text }))
    .optional()
    .catch(undefined),
  error: part({ message: text }),
});

/** The fields of a video that tell how far it is. */
export const statusShape = {
  status: part({
    video_status: text,
    processing_progress: count,
    uploading_phase: phase,
    processing_phase: phase,
    publishing_phase: phase,
  }),
  published: flag,
  scheduled_publish_time: moment,
};

const FAILED: ReadonlySet<string | undefined> = new Set(["upload_failed", "error", "failed"]);

export function readStatus({ status, published, scheduled_publish_time: at }: StatusFields): VideoStatus {
  const { video_status: word, processing_progress: percent, publishing_phase: publishing } = status ?? {};
  const phases = [status?.uploading_phase, status?.processing_phase, publishing];
  const failed = phases.find((one) => FAILED.has(one?.status));
  if (FAILED.has(word) || failed !== undefined || publishing?.publish_status === "error") {
    const problem = phases.flatMap((one) => [one?.error, ...(one?.errors ?? [])]).find((one) => one?.message);
    return { stage: "failed", percent: undefined, problem: problem?.message?.slice(0, 200) };
  }
  return { stage: stageOf(), percent: percent && Math.min(100, Math.round(percent)), problem: undefined };

  function stageOf(): VideoStage {
    if (word === "expired" || word === "uploading") {
      return word;
    }
    if (word !== undefined && word !== "ready") {
      return "processing";
    }
    if (published === true || publishing?.publish_status === "published") {
      return "published";
    }
    if (publishing?.publish_status === "scheduled" || (published === false && at !== undefined)) {
      return "scheduled";
    }
    if (publishing?.publish_status === "draft" && word === "ready") {
      return "draft";
    }
    // Ready is not published; without any word, nothing is known. Both spellings are in use.
    return /^completed?$/.test(publishing?.status ?? "") ? "published" : "processing";
  }
}

type StatusFields = z.output<z.ZodObject<typeof statusShape>>;

// The progress of uploads and of videos' processing, by the sandbox's clock.
import type { Session, Video } from "./entities.ts";

export interface Progress {
  readonly word: "processing" | "ready" | "error";
  readonly percent: number;
  readonly isPublished: boolean;
  /** `undefined` until the video is public. */
  readonly publishedAtMs: number | undefined;
  readonly publishing: "draft" | "scheduled" | "published";
}

/** How long an unfinished upload can be continued. */
const SESSION_LIFE_MS = 24 * 3_600_000;

export function progressOf({ processing, isForPublic, publishAtMs }: Video, nowMs: number): Progress {
  const { startedAtMs, durationMs, end } = processing;
  const isOver = end !== "never" && nowMs >= startedAtMs + durationMs;
  const share = end === "never" ? 0.9 : Math.min(1, (nowMs - startedAtMs) / Math.max(1, durationMs));
  const isReady = isOver && end === "ready";
  const dueAtMs = Math.max(startedAtMs + durationMs, publishAtMs ?? 0);
  const isWanted = isForPublic || publishAtMs !== undefined;
  const isPublished = isReady && isWanted && nowMs >= dueAtMs;
  return {
    word: isReady ? "ready" : isOver ? "error" : "processing",
    percent: Math.floor(share * 100),
    isPublished,
    publishedAtMs: isPublished ? dueAtMs : undefined,
    publishing: isPublished ? "published" : publishAtMs === undefined ? "draft" : "scheduled",
  };
}

export function isSessionOver({ startedAtMs }: Session, nowMs: number): boolean {
  return nowMs - startedAtMs > SESSION_LIFE_MS;
}

/** A video's `status` field. `bytes_transfered` is the service's own misspelling. */
export function formatStatus({ file }: Video, progress: Progress): object {
  const { word, percent, publishing } = progress;
  const isOver = word === "ready" || word === "error";
  return {
    video_status: word,
    ...(word === "processing" && { processing_progress: percent }),
    uploading_phase: {
      status: "complete",
      bytes_transfered: file.sizeBytes,
      source_file_size: file.sizeBytes,
    },
    processing_phase: {
      status: word === "error" ? "error" : isOver ? "complete" : "in_progress",
      ...(word === "error" && { errors: [{ code: 1, message: "The video could not be processed." }] }),
    },
    publishing_phase: {
      status: progress.isPublished ? "completed" : "not_started",
      publish_status: publishing,
    },
    copyright_check_status: { status: isOver ? "complete" : "not_started", matches_found: false },
  };
}

export function formatSessionStatus(session: Session, nowMs: number): object {
  const isComplete = session.receivedBytes === session.sizeBytes;
  return {
    video_status: isSessionOver(session, nowMs) ? "expired" : isComplete ? "upload_complete" : "uploading",
    uploading_phase: {
      status: isComplete ? "complete" : "in_progress",
      bytes_transfered: session.receivedBytes,
      source_file_size: session.sizeBytes,
    },
    processing_phase: { status: "not_started" },
    publishing_phase: { status: "not_started" },
  };
}

// What a row keeps in its column `problem`: why it failed or waits, until when, and how often that was tried.
import { z } from "zod";
import type { PublicationRecord } from "../publications-table.ts";
import type { PublicationProblem } from "./publish.ts";
import type { UploadSession } from "../client/upload-session.ts";

/** All of it; an empty one is kept as nothing. */
export interface StoredProblem {
  readonly problem?: PublicationProblem | undefined;
  /** Since when it is in the way. */
  readonly sinceMs?: number | undefined;
  /** How often in a row. */
  readonly tries?: number | undefined;
  /** Nothing is done about it before. */
  readonly notBeforeMs?: number | undefined;
  /** Why it is to be stopped: somebody cancelled when the write was on its way, or the bot was removed from its server. */
  readonly stopReason?: "cancelled" | "left" | undefined;
  /**
   * Of what the service publishes at its time, for a server that the bot was removed from: it is to be put off there, is
   * (`away`), or is to be put back.
   */
  readonly away?: "leaving" | "away" | "returning" | undefined;
  /** What stood here could not be read, e.g. since a later version wrote it: it may have said that nothing is to be sent. */
  readonly isUnreadable?: true | undefined;
}

/** What it does not know may say that the publication was cancelled. */
const storedSchema = z.strictObject({
  problem: z
    .object({
      of: z.enum(["video", "discord", "storage", "account", "bug"]),
      kind: z.string(),
      trouble: z.string().optional(),
      permission: z.string().optional(),
      words: z.string().optional(),
      requestId: z.string().optional(),
      mayRetry: z.boolean(),
    })
    .optional(),
  sinceMs: z.number().optional(),
  tries: z.number().optional(),
  notBeforeMs: z.number().optional(),
  isStopping: z.union([z.literal(true), z.literal("left")]).optional(),
  away: z.enum(["leaving", "away", "returning"]).optional(),
  isUnreadable: z.literal(true).optional(),
});

/** Reads it back; nothing is sent of one that cannot be read (`isUnreadable`) until a person says so. */
export function parseProblem({ problem }: Pick<PublicationRecord, "problem">): StoredProblem {
  if (problem === undefined) {
    return {};
  }
  try {
    const { isStopping, ...stored } = storedSchema.parse(JSON.parse(problem));
    // The words were ours when they were written; a later version shows those that it does not know as it can.
    const kept = stored as StoredProblem;
    return isStopping === undefined
      ? kept
      : { ...kept, stopReason: isStopping === true ? "cancelled" : "left" };
  } catch {
    return { isUnreadable: true };
  }
}

/** Writes it; `undefined` where there is nothing to keep. The reason to stop is stored as `isStopping`. */
export function formatProblem({ stopReason, ...kept }: StoredProblem): string | undefined {
  const isStopping = stopReason === "cancelled" ? true : stopReason;
  const text = JSON.stringify({ ...kept, isStopping });
  return text === "{}" ? undefined : text;
}

/** What is remembered of it while it is tried again: since when, how often, and that somebody wants it stopped. */
export function quietProblem(record: Pick<PublicationRecord, "problem">): string | undefined {
  return formatProblem({ ...parseProblem(record), problem: undefined, notBeforeMs: undefined });
}

/** What stays in the row whatever else is in its way, or is not any more. */
export function lasting(
  record: Pick<PublicationRecord, "problem">,
): Pick<StoredProblem, "stopReason" | "away" | "isUnreadable"> {
  const { stopReason, away, isUnreadable } = parseProblem(record);
  return { stopReason, away, isUnreadable };
}

/** For a problem that needs no more words. */
export function plainProblem(
  of: PublicationProblem["of"],
  kind: PublicationProblem["kind"],
  mayRetry: boolean,
): PublicationProblem {
  return { of, kind, mayRetry };
}

// The session of an upload in pieces, as a row keeps it.

const sessionSchema = z.object({
  sessionId: z.string(),
  videoId: z.string().optional(),
  sizeBytes: z.number(),
  next: z.union([z.literal("done"), z.object({ startByte: z.number(), endByte: z.number().optional() })]),
});

/** Reads it back; `undefined` where there is none that can be gone on with. */
export function parseSession({ session }: Pick<PublicationRecord, "session">): UploadSession | undefined {
  if (session === undefined) {
    return undefined;
  }
  try {
    return sessionSchema.parse(JSON.parse(session));
  } catch {
    return undefined;
  }
}

export function formatSession(session: UploadSession): string {
  return JSON.stringify(session);
}

// What a row keeps for people about why it failed or waits. What decides how it goes on stands in columns of its own.
import { z } from "zod";
import type { PublicationRecord } from "../publications-table.ts";
import type { PublicationProblem } from "./publish.ts";
import type { UploadSession } from "../client/upload-session.ts";

/** What else stands there may be an earlier or later version's word that nothing is to be sent. */
const storedSchema = z.strictObject({
  of: z.enum(["video", "discord", "storage", "account", "bug"]),
  kind: z.string(),
  trouble: z.string().optional(),
  permission: z.string().optional(),
  words: z.string().optional(),
  requestId: z.string().optional(),
});

/** The account that it was meant for cannot be used any more. */
export const NO_ACCOUNT = plainProblem("account", "no-account", true);

/** Nobody knows whether it was cancelled: a person decides whether it is sent. */
export const UNREADABLE = plainProblem("storage", "unreadable", true);

type Stored = Pick<PublicationRecord, "problem">;

/** Reads it back; `undefined` for none, and for what cannot be read. */
export function parseProblem(
  record: Stored & Pick<PublicationRecord, "state" | "stopReason" | "fileUrl">,
): PublicationProblem | undefined {
  const stored = parseStored(record);
  // The words were ours when they were written; a later version shows those that it does not know as it can.
  return stored && ({ ...stored, mayRetry: maySendAgain(record) } as PublicationProblem);
}

/** Whether something stands there that cannot be read: then nothing is sent until a person says so. */
export function isUnreadable(record: Stored): boolean {
  return record.problem !== undefined && parseStored(record) === undefined;
}

/** Writes it in place of what the row has; what cannot be read stays. */
export function replaceProblem(record: Stored, problem: PublicationProblem | undefined): string | undefined {
  return isUnreadable(record) ? record.problem : problem && formatProblem(problem);
}

export function formatProblem({ mayRetry: _derived, ...words }: PublicationProblem): string {
  return JSON.stringify(words);
}

function parseStored({ problem }: Stored): z.output<typeof storedSchema> | undefined {
  try {
    return problem === undefined ? undefined : storedSchema.parse(JSON.parse(problem));
  } catch {
    return undefined;
  }
}

/** Whether people may have it sent once more: its file is kept as long as that is so. */
export function maySendAgain({
  state,
  stopReason,
  fileUrl,
}: Pick<PublicationRecord, "state" | "stopReason" | "fileUrl">): boolean {
  return (
    fileUrl !== undefined && (state === "failed" || (state === "cancelled" && stopReason === "returned"))
  );
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

// What a row keeps for people about why it failed or waits. What decides how it goes on stands in columns of its own.
import { z } from "zod";
import { ServiceError, type ServiceErrorKind } from "../../core/errors.ts";
import { VideoRefusal, type VideoTrouble } from "../client/refusal.ts";
import { type UploadSession, uploadSessionSchema } from "../client/upload-session.ts";
import type { PublicationRecord } from "../publications-table.ts";

/** The words were ours when they were written; a later version shows those that it does not know as it can. */
const ourWord = <Word extends string>() => z.custom<Word>((value) => typeof value === "string");

const problemSchema = z.object({
  /** Whose failure it was: the video service's, Discord's (the file), or ours. */
  of: z.enum(["video", "discord", "storage", "account", "bug"]),
  /** `unpublished`: taken back at the service after it came out. */
  kind: ourWord<ServiceErrorKind | "bug" | "no-account" | "unpublished">(),
  trouble: ourWord<VideoTrouble>().optional(),
  permission: z.string().optional(),
  words: z.string().optional(),
  /** What the service calls the request, for questions to it, e.g. `fbtrace_id`. */
  requestId: z.string().optional(),
});

export type PublicationProblem = Readonly<z.output<typeof problemSchema>>;

/** The account that it was meant for cannot be used any more. */
export const NO_ACCOUNT: PublicationProblem = { of: "account", kind: "no-account" };

/** Reads it back; `undefined` for none, and for what cannot be read. */
export function parseProblem(record: PublicationRecord): PublicationProblem | undefined {
  return parseJson(problemSchema, record.problem);
}

export function formatProblem(problem: PublicationProblem): string {
  return JSON.stringify(problem);
}

function parseJson<T>(schema: z.ZodType<T>, text: string | undefined): T | undefined {
  try {
    return text === undefined ? undefined : schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Whether people may have it sent once more: its file is kept as long as that is so. */
export function maySendAgain({ state, stopReason, fileUrl }: PublicationRecord): boolean {
  return (
    fileUrl !== undefined && (state === "failed" || (state === "cancelled" && stopReason === "returned"))
  );
}

/** The same file would be refused again. */
export function isPermanent({ kind, trouble }: PublicationProblem): boolean {
  return ["format", "too-small", "too-large", "content"].includes(trouble ?? kind);
}

/** What is stored and shown of a failure after which nothing was published for certain. */
export function problemOf(error: unknown): PublicationProblem {
  if (!(error instanceof ServiceError)) {
    return { of: "bug", kind: "bug" };
  }
  const { service, kind, requestId } = error;
  if (service === "account" && kind === "unauthorised") {
    return NO_ACCOUNT;
  }
  const of = OWNERS[service] ?? "bug";
  if (!(error instanceof VideoRefusal)) {
    return { of, kind, requestId };
  }
  const { trouble, permission, wordsForPeople: words } = error;
  return { of, kind, requestId, trouble, permission, words };
}

/** Whose failure that of a service was. */
const OWNERS: Partial<Record<string, PublicationProblem["of"]>> = {
  video: "video",
  storage: "storage",
  account: "storage",
  discord: "discord",
  source: "discord",
};

export function parseSession({ session }: PublicationRecord): UploadSession | undefined {
  return parseJson(uploadSessionSchema, session);
}

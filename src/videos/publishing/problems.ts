// JSON that tells people why a publication failed or waits. How it continues has its own columns.
import { z } from "zod";
import { ServiceError, type ServiceErrorKind } from "../../core/errors.ts";
import { VideoRefusal, type VideoTrouble } from "../client/refusal.ts";
import { type UploadSession, uploadSessionSchema } from "../client/upload-session.ts";
import type { PublicationRecord } from "../publications-table.ts";

/** Another version of the bot may have written it. Views have a sentence for a kind that they do not know. */
const ourWord = <Word extends string>() => z.custom<Word>((value) => typeof value === "string");

const problemSchema = z.object({
  /** Who failed. `discord`: the file; `account`: there is none to publish with; `bug`: our code. */
  of: z.enum(["video", "discord", "storage", "account", "bug"]),
  /** `unpublished`: somebody unpublished the video on the service. */
  kind: ourWord<ServiceErrorKind | "bug" | "no-account" | "unpublished">(),
  trouble: ourWord<VideoTrouble>().optional(),
  permission: z.string().optional(),
  words: z.string().optional(),
  /** The service's id of the request, which people quote when they contact the service, e.g. `fbtrace_id`. */
  requestId: z.string().optional(),
});

export type PublicationProblem = Readonly<z.output<typeof problemSchema>>;

/** The account that the publication was meant for can no longer be used. */
export const NO_ACCOUNT: PublicationProblem = { of: "account", kind: "no-account" };

/** `undefined` if there is none or it cannot be parsed. */
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

const PERMANENT = new Set<VideoTrouble | PublicationProblem["kind"]>([
  "format",
  "too-small",
  "too-large",
  "content",
]);

/** Whether the service would refuse the same file again. */
export function isPermanent({ kind, trouble }: PublicationProblem): boolean {
  return PERMANENT.has(trouble ?? kind);
}

/** Returns what is stored and shown about a failure after which certainly nothing was published. */
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

// The session of an upload in pieces, as a row keeps it.
import { z } from "zod";
import type { UploadSession } from "../../clients/video/upload-session.ts";
import type { PublicationRecord } from "../../storage/publications-table.ts";

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
    const { sessionId, videoId, sizeBytes, next } = sessionSchema.parse(JSON.parse(session));
    return {
      sessionId,
      videoId,
      sizeBytes,
      next: next === "done" ? next : { startByte: next.startByte, endByte: next.endByte },
    };
  } catch {
    return undefined;
  }
}

export function formatSession(session: UploadSession): string {
  return JSON.stringify(session);
}

// Publications as plain values, for tests of views.
import { publicationRecord } from "../videos/video-rows.ts";
import type { Publication } from "../../src/videos/publishing/publish.ts";

/** Wednesday 18 November 2026, 17:20 UTC. */
export const PUBLICATION_AT_MS = Date.parse("2026-11-18T17:20:00Z");

/** A publication that is being uploaded by default. */
export function publication(more: Partial<Publication> = {}): Publication {
  return {
    ...publicationRecord({
      id: "abcd1234",
      channelId: "2",
      messageId: "3",
      state: "uploading",
      stateAtMs: PUBLICATION_AT_MS,
    }),
    account: { key: "operator", name: "Signal Hall", isLinked: true },
    title: "Opening day",
    description: "Steam and cake",
    timeZone: "Europe/London",
    fileName: "opening.mp4",
    fileType: "video/mp4",
    sizeBytes: 50 * 1024 * 1024,
    linkEndsAtMs: PUBLICATION_AT_MS + 86_400_000,
    fileUrl: "https://cdn.example/opening.mp4",
    asksApproval: false,
    pingRoleId: undefined,
    problem: undefined,
    mayRetry: false,
    nextTryAtMs: undefined,
    isStopping: false,
    ...more,
  };
}

// Publications, accounts, audit entries and samples for tests of the storage.
import type { PublicationRecord } from "../../src/videos/publications-table.ts";
import type { VideoAccountRecord } from "../../src/videos/video-accounts-table.ts";
import type { AuditRecord, VideoSampleRecord } from "../../src/videos/video-records-table.ts";

/** A draft of person "7" for server "1", as stored. */
export function publicationRecord(changed: Partial<PublicationRecord> = {}): PublicationRecord {
  return {
    id: "video001",
    guildId: "1",
    channelId: "11",
    messageId: undefined,
    postingSinceMs: undefined,
    shownHash: undefined,
    approvalChannelId: undefined,
    approvalMessageId: undefined,
    approvalAskedAtMs: undefined,
    approvalShownHash: undefined,
    submittedBy: "7",
    createdAtMs: 1_000,
    state: "draft",
    stateAtMs: 1_000,
    revision: 1,
    account: "operator",
    title: undefined,
    description: undefined,
    publishAtMs: undefined,
    fileName: "opening.mp4",
    fileType: "video/mp4",
    sizeBytes: 5_000_000_000,
    fileUrl: undefined,
    linkEndsAtMs: 86_400_000,
    doneBytes: 0,
    percent: undefined,
    session: undefined,
    pendingWrite: undefined,
    pendingSinceMs: undefined,
    nextAtMs: undefined,
    claimedUntilMs: undefined,
    claimToken: undefined,
    videoId: undefined,
    link: undefined,
    stopReason: undefined,
    troubleSinceMs: undefined,
    tries: 0,
    notBeforeMs: undefined,
    problem: undefined,
    decidedBy: undefined,
    refusedReason: undefined,
    ...changed,
  };
}

/** The account of server "1", linked by person "7". */
export function videoAccountRecord(changed: Partial<VideoAccountRecord> = {}): VideoAccountRecord {
  return {
    guildId: "1",
    accountId: "1002003004005",
    name: "Signal Hall",
    sealedToken: "sealed",
    missing: "",
    linkedBy: "7",
    linkedAtMs: 1_795_021_200_000,
    endsAtMs: undefined,
    brokenBecause: undefined,
    checkedAtMs: 1_795_021_200_000,
    ...changed,
  };
}

/** An audit entry: person "7" of server "1" has submitted something. */
export function auditRecord(changed: Partial<AuditRecord> = {}): AuditRecord {
  return {
    id: "act001",
    guildId: "1",
    atMs: 1_000,
    actorId: "7",
    act: "submitted",
    publicationId: "video001",
    videoId: undefined,
    note: undefined,
    ...changed,
  };
}

/** A sample of a video of server "1" that more people have seen than 32 bits can count. */
export function videoSampleRecord(changed: Partial<VideoSampleRecord> = {}): VideoSampleRecord {
  return {
    guildId: "1",
    videoId: "10203040506070809",
    atMs: 1_000,
    views: 5_000_000_000,
    likes: 7,
    comments: 2,
    shares: undefined,
    ...changed,
  };
}

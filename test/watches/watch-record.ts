// Watches and incidents for tests of the storage.
import type { IncidentRecord, IncidentWrite } from "../../src/watches/incidents-table.ts";
import type { WatchRecord } from "../../src/watches/watches-table.ts";

/** An active watch of person "7" by direct message, requested in server "1". */
export function watchRecord(changed: Partial<WatchRecord> = {}): WatchRecord {
  return {
    id: "watch001",
    ownerId: "7",
    createdAtMs: 1_000,
    askedGuildId: "1",
    askedChannelId: "11",
    guildId: undefined,
    channelId: undefined,
    settings: "{}",
    state: "active",
    pausedBecause: undefined,
    stateAtMs: 1_000,
    nextAtMs: undefined,
    ...changed,
  };
}

/** The first write of an incident of that watch, by a process that has seen no incident. */
export function incidentWrite(changed: Partial<IncidentWrite> = {}): IncidentWrite {
  return {
    watchId: "watch001",
    day: "2026-11-21",
    seenRevision: undefined,
    changes: { knowledge: "{}" },
    ...changed,
  };
}

/** The incident after that write. */
export function incidentRecord(changed: Partial<IncidentRecord> = {}): IncidentRecord {
  return {
    watchId: "watch001",
    day: "2026-11-21",
    ownerId: "7",
    guildId: undefined,
    revision: 1,
    knowledge: "{}",
    claimedUntilMs: undefined,
    postingSinceMs: undefined,
    channelId: undefined,
    messageId: undefined,
    shownHash: undefined,
    closedAtMs: undefined,
    ...changed,
  };
}

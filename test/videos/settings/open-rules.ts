// Opens the rules for videos with an in-memory database and their log.
import { onTestFinished } from "vitest";
import { collectLog } from "../../support/collect-log.ts";
import type { ChannelCheck } from "../../../src/core/ports.ts";
import type { NewAuditEntry } from "../../../src/videos/settings/audit-log.ts";
import { type VideoRules, createVideoRules } from "../../../src/videos/settings/video-rules.ts";
import type { Database } from "../../../src/database.ts";
import { openMemoryDatabase } from "../../open.ts";
import { type StillClock, createStillClock } from "../../support/still-clock.ts";

export interface OpenRules {
  readonly rules: VideoRules;
  readonly write: (entry: NewAuditEntry) => Promise<void>;
  readonly database: Database;
  readonly clock: StillClock;
  /** The log lines. */
  readonly lines: readonly string[];
  /** The bot's view of each channel. */
  readonly channels: Map<string, ChannelCheck>;
}

export async function writeAuditEntry(
  { rules, database }: Pick<OpenRules, "rules" | "database">,
  entry: NewAuditEntry,
): Promise<void> {
  await rules.changeWithAudit([entry], async (lines) => {
    await Promise.all(lines.map((line) => database.videoRecords.addAuditRecord(line)));
    return true;
  });
}

/** Opens the rules; they close when the test ends. */
export async function openRules(): Promise<OpenRules> {
  const clock = createStillClock();
  const { log, lines } = collectLog("debug");
  const database = await openMemoryDatabase({ clock, log });
  onTestFinished(() => database.close());
  const channels = new Map<string, ChannelCheck>();
  const rules = createVideoRules({
    records: database.videoRecords,
    messenger: { check: async (channelId) => channels.get(channelId) },
    defaultZone: "Europe/London",
    clock,
    log,
  });
  const write = (entry: NewAuditEntry): Promise<void> => writeAuditEntry({ rules, database }, entry);
  return { rules, write, database, clock, lines, channels };
}

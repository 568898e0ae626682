// Discord's own numbers where they are published, and likely ones where they are not.
import { DEFAULT_BUCKETS } from "./limits/bucket-rules.ts";
import type { PlatformSettings } from "./platform.ts";

export const DEFAULT_SETTINGS: PlatformSettings = {
  attachmentSizeLimitBytes: 10 * 1024 * 1024,
  acceptedUploadBytes: undefined,
  ephemeralFileLifeMs: 24 * 3_600_000,
  linkLifeMs: 24 * 3_600_000,
  shards: 1,
  identifyConcurrency: 1,
  identifyWindowMs: 5000,
  identifyLimit: 1000,
  guildsPerShard: 2500,
  sessionLifeMs: 3 * 60_000,
  heartbeatIntervalMs: 41_250,
  heartbeatGraceMs: 20_000,
  resumeUrl: undefined,
  globalPerSecond: 50,
  buckets: DEFAULT_BUCKETS,
  invalidRequestLimit: 10_000,
  banMs: 3_600_000,
};

// The state, the settings and the services that every part of the local Discord receives.
import type { RateClock } from "../clock/clock.ts";
import type { Changes } from "./changes.ts";
import { DEFAULT_BUCKETS } from "./limits/buckets.ts";
import type { IdSource } from "./snowflake.ts";
import type { State } from "./state.ts";

/**
 * Values that Discord does not document or may change, so that tests can vary them. Documented values are Discord's;
 * the others are likely ones.
 */
export const DEFAULT_SETTINGS = {
  /** The largest file that a member or the bot may upload. */
  attachmentSizeLimitBytes: 10 * 1024 * 1024,
  /** How long a file sent with a command is kept. Discord says "a set time". */
  ephemeralFileLifeMs: 24 * 3_600_000,
  /** How long a signed link is valid. About a day, undocumented. */
  linkLifeMs: 24 * 3_600_000,
  /** The number that `GET /gateway/bot` recommends. */
  shards: 1,
  /** How many shards may IDENTIFY in each `identifyWindowMs`; their ids must differ modulo this number. */
  identifyConcurrency: 1,
  /** With 0, a bot may be restarted at will. */
  identifyWindowMs: 5000,
  /** IDENTIFYs in 24 hours of the sandbox's clock; one more resets the token. */
  identifyLimit: 1000,
  /** More guilds need more shards. */
  guildsPerShard: 2500,
  /** How long a session without a socket can be resumed, on the sandbox's clock. "A few minutes", undocumented. */
  sessionLifeMs: 3 * 60_000,
  /** The interval in HELLO. Discord sends 41,250 to 45,000. */
  heartbeatIntervalMs: 41_250,
  /** How late a heartbeat may be, in real milliseconds. Undocumented. */
  heartbeatGraceMs: 20_000,
  /** Requests in any sliding second with the bot's token. */
  globalPerSecond: 50,
  /** How many 401, 403 and 429 in ten minutes lead to a ban. */
  invalidRequestLimit: 10_000,
  /** How long a ban lasts. Undocumented. */
  banMs: 3_600_000,
  buckets: DEFAULT_BUCKETS,
};

export type PlatformSettings = typeof DEFAULT_SETTINGS & {
  /** The largest file that the bot may really send, if that is less than interactions report. */
  acceptedUploadBytes?: number;
  /** The URL for RESUME in READY, instead of the sandbox's own gateway; it may be a dead host. */
  resumeUrl?: string;
  /** The application's own endpoint for interactions. It is only shown: the sandbox sends none there. */
  interactionsEndpointUrl?: string;
};

export interface Platform {
  readonly clock: RateClock;
  readonly ids: IdSource;
  readonly state: State;
  readonly changes: Changes;
  readonly settings: PlatformSettings;
  /** E.g. `http://127.0.0.1:40001`; known once the server listens. */
  readonly baseUrl: string;
  /** Signs links. */
  readonly secret: string;
}

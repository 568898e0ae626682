// What every part of the local Discord receives.
import type { RateClock } from "../clock/clock.ts";
import type { Changes } from "./changes.ts";
import type { BucketRules } from "./limits/bucket-rules.ts";
import type { IdSource } from "./snowflake.ts";
import type { State } from "./state.ts";

/** What Discord leaves open or may change, so that tests can vary it. */
export interface PlatformSettings {
  /** The largest file that a member or the bot may upload. Default 10 MiB. */
  attachmentSizeLimitBytes: number;
  /** The largest file that the bot may really send, if that is less than interactions report. */
  acceptedUploadBytes: number | undefined;
  /** How long a file sent with a command is kept. Discord says "a set time". */
  ephemeralFileLifeMs: number;
  /** How long a signed link is valid. About a day, undocumented. */
  linkLifeMs: number;
  /** The number that `GET /gateway/bot` recommends. */
  shards: number;
  /** How many shards may IDENTIFY in each `identifyWindowMs`; their ids must differ modulo this number. */
  identifyConcurrency: number;
  /** 5 s at Discord. With 0, a bot may be restarted at will. */
  identifyWindowMs: number;
  /** IDENTIFYs in 24 hours of the sandbox's clock; one more resets the token. 1,000 at Discord. */
  identifyLimit: number;
  /** More guilds need more shards: 2,500 at Discord. */
  guildsPerShard: number;
  /** How long a session without a socket can be resumed, on the sandbox's clock. "A few minutes", undocumented. */
  sessionLifeMs: number;
  /** The interval in HELLO. Discord sends 41,250 to 45,000. */
  heartbeatIntervalMs: number;
  /** How late a heartbeat may be, in real milliseconds. Undocumented. */
  heartbeatGraceMs: number;
  /** The URL for RESUME in READY, instead of the sandbox's own gateway; it may be a dead host. */
  resumeUrl: string | undefined;
  /** Requests in any sliding second with the bot's token: 50 at Discord. */
  globalPerSecond: number;
  /** The limits of routes. Undocumented. */
  buckets: BucketRules;
  /** How many 401, 403 and 429 in ten minutes lead to a ban: 10,000 at Discord. */
  invalidRequestLimit: number;
  /** How long a ban lasts. Undocumented. */
  banMs: number;
}

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

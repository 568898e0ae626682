// What every part of the local Discord is given.
import type { Clock } from "../clock/clock.ts";
import type { Changes } from "./changes.ts";
import type { BucketRules } from "./limits/bucket-rules.ts";
import type { IdSource } from "./snowflake.ts";
import type { State } from "./state.ts";

/** What Discord leaves open or may change, so that tests try both. */
export interface PlatformSettings {
  /** The largest file that a member or the bot may upload. 10 MiB by default. */
  attachmentSizeLimitBytes: number;
  /** What a file that the bot sends may really weigh, where that is less than interactions say. */
  acceptedUploadBytes: number | undefined;
  /** How long a file that came with a command is kept. Discord says "a set time". */
  ephemeralFileLifeMs: number;
  /** How long a signed link lives. About a day, undocumented. */
  linkLifeMs: number;
  /** What `GET /gateway/bot` recommends. */
  shards: number;
  /** Shards that may IDENTIFY in each `identifyWindowMs`, every one with a number of its own modulo this. */
  identifyConcurrency: number;
  /** 5 s at Discord. 0 lets a bot be restarted at will. */
  identifyWindowMs: number;
  /** IDENTIFYs in 24 hours of the sandbox's clock; one more, and the token is reset. 1,000 at Discord. */
  identifyLimit: number;
  /** More need more shards: 2,500 at Discord. */
  guildsPerShard: number;
  /** How long a session without a socket can be resumed, on the sandbox's clock. "A few minutes", undocumented. */
  sessionLifeMs: number;
  /** What HELLO asks for. Discord asks for 41,250 to 45,000. */
  heartbeatIntervalMs: number;
  /** How much later than that a heartbeat may come, in real milliseconds. Undocumented. */
  heartbeatGraceMs: number;
  /** What READY names for a RESUME, in place of the sandbox's own gateway: a host that may be dead. */
  resumeUrl: string | undefined;
  /** Requests in any sliding second, by the bot's token: 50 at Discord. */
  globalPerSecond: number;
  /** What routes take. Undocumented. */
  buckets: BucketRules;
  /** 401, 403 and 429 in ten minutes that lead to a ban: 10,000 at Discord. */
  invalidRequestLimit: number;
  /** How long a ban lasts. Undocumented. */
  banMs: number;
}

export interface Platform {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly state: State;
  readonly changes: Changes;
  readonly settings: PlatformSettings;
  /** E.g. `http://127.0.0.1:40001`; known once the server listens. */
  readonly baseUrl: string;
  /** Signs links. */
  readonly secret: string;
}

// What every part of the local Discord is given.
import type { Clock } from "../../src/core/clock.ts";
import type { Changes } from "./changes.ts";
import type { IdSource } from "./snowflake.ts";
import type { State } from "./state.ts";

/** What Discord leaves open or may change, so that tests try both. */
export interface PlatformSettings {
  /** The largest file that a member or the bot may upload. 10 MiB by default. */
  attachmentSizeLimitBytes: number;
  /** How long a signed link lives. About a day, undocumented. */
  linkLifeMs: number;
  /** What `GET /gateway/bot` recommends. */
  shards: number;
  /** IDENTIFYs that may come at once. */
  identifyConcurrency: number;
  /** What HELLO asks for. Discord asks for 41,250 to 45,000. */
  heartbeatIntervalMs: number;
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

import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Http, HttpStreams } from "./http-types.ts";
import type { Log } from "./log.ts";
import type { CommandRights, Connection, Messenger } from "./ports.ts";

/** What every feature stands on. */
export interface Platform {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly http: Http & HttpStreams;
  readonly connection: Connection;
  readonly messenger: Messenger;
  readonly rights: CommandRights;
}

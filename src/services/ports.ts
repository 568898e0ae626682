// What services need of the outside. src/discord implements these; app.ts hands them over.

/** The connection to Discord, as far as people care about it. */
export interface Connection {
  /** Milliseconds of the last heartbeat's round trip, averaged over shards; `undefined` before the first. */
  latencyMs(): number | undefined;
  /** How many servers this process looks after. */
  guildCount(): number;
}

/** A server that was created at this time is on the second of two shards, because its millisecond is odd. */
export const SECOND_SHARD_MADE_AT_MS = Date.UTC(2021, 0, 1) + 1;

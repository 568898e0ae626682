/** A server that was made then is of the second of two shards: its millisecond is odd. */
export const SECOND_SHARD_MADE_AT_MS = Date.UTC(2021, 0, 1) + 1;

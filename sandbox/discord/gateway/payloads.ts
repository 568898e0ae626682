// What a client may send to the gateway.
import { z } from "zod";

export const frame = z.object({ op: z.int(), d: z.unknown().optional() });

export const identify = z.object({
  token: z.string(),
  intents: z.int(),
  shard: z.tuple([z.int(), z.int()]).optional(),
  properties: z.record(z.string(), z.unknown()),
});

export const resume = z.object({
  token: z.string(),
  session_id: z.string(),
  seq: z.int(),
});

/** Operations by Discord's numbers. */
export const OP = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presenceUpdate: 3,
  voiceStateUpdate: 4,
  resume: 6,
  reconnect: 7,
  requestGuildMembers: 8,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
} as const;

/** Why the server closes. */
export const CLOSE = {
  unknownOperation: 4001,
  decodeError: 4002,
  notAuthenticated: 4003,
  authenticationFailed: 4004,
  alreadyAuthenticated: 4005,
  invalidSequence: 4007,
  rateLimited: 4008,
  invalidShard: 4010,
  shardingRequired: 4011,
  invalidIntents: 4013,
  disallowedIntents: 4014,
} as const;

// The payloads that a client may send to the gateway.
import { z } from "zod";

const frame = z.object({ op: z.int(), d: z.unknown().optional() });

export const identifyForm = z.object({
  token: z.string(),
  intents: z.int(),
  shard: z.tuple([z.int(), z.int()]).optional(),
  properties: z.record(z.string(), z.unknown()),
});

export const resumeForm = z.object({
  token: z.string(),
  session_id: z.string(),
  seq: z.int(),
});

export const OP = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presenceUpdate: 3,
  voiceStateUpdate: 4,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
} as const;

/** An operation's name as Discord writes it, e.g. `INVALID_SESSION`. */
export function nameOf(op: number): string {
  const [word] = Object.entries(OP).find(([, number]) => number === op) ?? [`op${op}`];
  return word.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** Discord's close codes and reasons. 4000, "unknown error", is sent only on demand. */
export const CLOSE = {
  unknownOperation: [4001, "Unknown opcode."],
  decodeError: [4002, "Error while decoding payload."],
  notAuthenticated: [4003, "Not authenticated."],
  authenticationFailed: [4004, "Authentication failed."],
  alreadyAuthenticated: [4005, "Already authenticated."],
  invalidSequence: [4007, "Invalid seq."],
  rateLimited: [4008, "Rate limited."],
  timedOut: [4009, "Session timed out."],
  invalidShard: [4010, "Invalid shard."],
  shardingRequired: [4011, "Sharding required."],
  invalidVersion: [4012, "Invalid API version."],
  invalidIntents: [4013, "Invalid intent(s)."],
  disallowedIntents: [4014, "Disallowed intent(s)."],
} as const;

/** Parses a frame; `undefined` if it is not an operation with data. */
export function parseFrame(data: Buffer): z.infer<typeof frame> | undefined {
  try {
    return frame.parse(JSON.parse(data.toString("utf8")));
  } catch {
    return undefined;
  }
}

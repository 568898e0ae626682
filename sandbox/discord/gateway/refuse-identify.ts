// Decides whether an IDENTIFY is accepted, apart from its rate.
import type { Platform } from "../platform.ts";
import { shardOf } from "../snowflake.ts";
import { KNOWN_INTENTS, PRIVILEGED_INTENTS } from "./intents.ts";
import { CLOSE } from "./payloads.ts";
import type { Shard } from "./session.ts";

/** The code and reason of the refusal; `undefined` if it is accepted. */
export function refuseIdentify(
  { state, settings }: Platform,
  token: string,
  intents: number,
  shard: Shard,
): readonly [code: number, reason: string] | undefined {
  const { application, guilds } = state;
  if (token !== application.token) {
    return CLOSE.authenticationFailed;
  }
  if (shard.count < 1 || shard.id < 0 || shard.id >= shard.count) {
    return CLOSE.invalidShard;
  }
  let guildsOfShard = 0;
  for (const { id, members } of guilds.values()) {
    if (members.has(application.id) && shardOf(id, shard.count) === shard.id) {
      guildsOfShard += 1;
    }
  }
  if (guildsOfShard > settings.guildsPerShard) {
    return CLOSE.shardingRequired;
  }
  if (intents < 0 || (intents & ~KNOWN_INTENTS) !== 0) {
    return CLOSE.invalidIntents;
  }
  if ((intents & PRIVILEGED_INTENTS & ~application.privilegedIntents) !== 0) {
    return CLOSE.disallowedIntents;
  }
  return undefined;
}

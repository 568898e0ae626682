// Decides whether an IDENTIFY is accepted: checks its content, and how often the bot has identified.
import { GatewayIntentBits } from "discord-api-types/v10";
import type { Platform } from "../platform.ts";
import { shardOf } from "../snowflake.ts";
import { CLOSE } from "./payloads.ts";
import type { Shard } from "./session.ts";

const DAY_MS = 86_400_000;

/** Bits that exist: 0–16, 20, 21, 24, 25. */
const KNOWN_INTENTS = 0x1ffff | (1 << 20) | (1 << 21) | (1 << 24) | (1 << 25);

const PRIVILEGED_INTENTS =
  GatewayIntentBits.GuildMembers | GatewayIntentBits.GuildPresences | GatewayIntentBits.MessageContent;

/** The code and reason of the refusal; `undefined` if it is accepted. */
export function findIdentifyRefusal(
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

export function createIdentifyLimiter(platform: Platform) {
  const { settings, state, clock } = platform;
  const lastOfGroup = new Map<number, number>();
  return {
    /**
     * Counts an IDENTIFY of a shard. `too-fast`: another of the same group came within `identifyWindowMs`; this one is
     * not counted. `used-up`: the day's limit is reached, and Discord resets the token.
     */
    take(shardId: number): "fine" | "too-fast" | "used-up" {
      const group = shardId % settings.identifyConcurrency;
      const nowMs = clock.forRates();
      if (nowMs - (lastOfGroup.get(group) ?? -Infinity) < settings.identifyWindowMs) {
        return "too-fast";
      }
      lastOfGroup.set(group, nowMs);
      state.identifiedAtMs.push(clock.now());
      return identifiesOfDay(platform).length > settings.identifyLimit ? "used-up" : "fine";
    },
    clear() {
      lastOfGroup.clear();
      state.identifiedAtMs.length = 0;
    },
  };
}

/** The bot's IDENTIFYs of the last 24 hours on the sandbox's clock. Forgets older ones. */
export function identifiesOfDay({ state, clock }: Platform): readonly number[] {
  const { identifiedAtMs } = state;
  const sinceMs = clock.now() - DAY_MS;
  const first = identifiedAtMs.findIndex((atMs) => atMs > sinceMs);
  identifiedAtMs.splice(0, first === -1 ? identifiedAtMs.length : first);
  return identifiedAtMs;
}

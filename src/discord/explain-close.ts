// Why Discord closed the gateway for good, in words for the person who runs the bot.
// https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes
import { EXIT_CONFIG, EXIT_FAILURE, type Failure } from "../core/exit-codes.ts";
import { TOKEN_REFUSED } from "./explain-refusal.ts";

const SHARDING_REQUIRED = 4011;

const REASONS: Readonly<Record<number, string>> = {
  4004: TOKEN_REFUSED,
  4010: "SHARDS names a shard that Discord does not accept. Count from 0 to one less than SHARD_COUNT.",
  [SHARDING_REQUIRED]:
    "SHARD_COUNT is too low for this many servers. Set it to `auto`, or raise it for all processes.",
  4012: "Discord no longer speaks the version of its gateway that this Signalbox uses. Install a newer one.",
  4013: "Discord does not know an intent that this Signalbox asks for. Install a newer one.",
  4014: "Discord does not allow this application an intent that Signalbox asks for. Install a newer Signalbox.",
};

/** `isShardCountAuto`: the next start asks Discord anew how many shards there must be. */
export function explainClose(code: number, isShardCountAuto: boolean): Failure {
  const how = `Discord closed the connection with code ${code}.`;
  return code === SHARDING_REQUIRED && isShardCountAuto
    ? { reason: `Discord wants more shards for this many servers. ${how}`, exitCode: EXIT_FAILURE }
    : { reason: `${REASONS[code] ?? "Discord does not let the bot in."} ${how}`, exitCode: EXIT_CONFIG };
}

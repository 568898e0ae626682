// The way from a client to a connection: settles when every shard is ready.
import { Events, type Client } from "discord.js";
import { ConfigError } from "../core/errors.ts";
import { explainRefusal, TOKEN_REFUSED } from "./explain-refusal.ts";

/** Gateway close codes that a setting is to blame for. https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway */
const BLAMED: Readonly<Record<number, string>> = {
  4004: TOKEN_REFUSED,
  4010: "SHARDS names a shard that Discord does not accept. Count from 0 to one less than SHARD_COUNT.",
  4011: "SHARD_COUNT is too low for this many servers. Set it to `auto`, or raise it.",
};

/** Throws a ConfigError where a setting is wrong or Discord is out of reach, otherwise what discord.js throws. The client is left closed then. */
export async function logIn(client: Client, token: string): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      client.once(Events.ClientReady, () => resolve());
      client.once(Events.ShardDisconnect, ({ code }) => reject(explainClose(code)));
      client.login(token).catch((error: unknown) => reject(explainRefusal(error)));
    });
  } catch (error) {
    await client.destroy();
    throw error;
  }
}

function explainClose(code: number): Error {
  const problem = BLAMED[code];
  return problem === undefined
    ? new Error(`Discord closed the connection for good, with code ${code}`)
    : new ConfigError([problem]);
}

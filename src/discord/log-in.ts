// The way from a client to a connection: settles when every shard is ready.
import { Events, type Client } from "discord.js";
import { ConfigError, ServiceError } from "../core/errors.ts";
import { EXIT_CONFIG } from "../core/exit-codes.ts";
import { explainClose } from "./explain-close.ts";
import { explainRefusal } from "./explain-refusal.ts";

/**
 * Throws a ConfigError where a setting is wrong, a ServiceError where another start may help, otherwise what discord.js
 * throws. The client is left closed then.
 */
export async function logIn(client: Client, token: string, isShardCountAuto: boolean): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      client.once(Events.ClientReady, () => resolve());
      client.once(Events.ShardDisconnect, ({ code }) => {
        const { reason, exitCode } = explainClose(code, isShardCountAuto);
        const isLasting = exitCode === EXIT_CONFIG;
        reject(isLasting ? new ConfigError([reason]) : new ServiceError("discord", "rejected", reason));
      });
      client.login(token).catch((error: unknown) => reject(explainRefusal(error)));
    });
  } catch (error) {
    await client.destroy();
    throw error;
  }
}

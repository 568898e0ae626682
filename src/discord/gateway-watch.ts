// Notices connections to the gateway that do not come back: discord.js would go on trying in the same way for ever.
import { Events, Status, WebSocketShardDestroyRecovery, type Client } from "discord.js";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";

export interface GatewayWatchOptions {
  readonly client: Client;
  /** Whether Discord's API answers. Never rejects. */
  readonly isApiUp: () => Promise<boolean>;
  /** Called when no shard has been ready for ten minutes in which the API answered. */
  readonly onLost: () => void;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
}

/** As long as Discord keeps a session, roughly: "a few minutes". What is not resumed by then begins anew. */
const SESSION_LIFE_MS = 3 * 60_000;
const CHECK_INTERVAL_MS = 60_000;
const MAX_CHECKS_WITHOUT_SHARD = 10;

/** Watches from now on. Returns what ends the watching. */
export function watchGateway({ client, isApiUp, onLost, clock, log }: GatewayWatchOptions): () => void {
  /** Shards that are away, each with what cancels the end of its session. */
  const away = new Map<number, () => void>();
  let checksWithoutShard = 0;
  let cancelCheck: (() => void) | undefined;
  let isStopped = false;

  function expectBack(shard: number): void {
    if (!away.has(shard)) {
      away.set(
        shard,
        clock.after(SESSION_LIFE_MS, () => abandonSession(client, shard, log)),
      );
    }
    cancelCheck ??= clock.after(CHECK_INTERVAL_MS, () => void check());
  }

  function isBack(shard: number): void {
    away.get(shard)?.();
    away.delete(shard);
  }

  /** Counted in checks: a machine that slept has lost its connections, and time in which nobody looked says nothing. */
  async function check(): Promise<void> {
    if (isAnyReady(client)) {
      checksWithoutShard = 0;
      cancelCheck = undefined;
      return;
    }
    checksWithoutShard = (await isApiUp()) ? checksWithoutShard + 1 : 0;
    if (isStopped) {
      return;
    }
    if (checksWithoutShard >= MAX_CHECKS_WITHOUT_SHARD && !isAnyReady(client)) {
      onLost();
    } else {
      cancelCheck = clock.after(CHECK_INTERVAL_MS, () => void check());
    }
  }

  client.on(Events.ShardReconnecting, expectBack);
  client.on(Events.ShardReady, isBack);
  client.on(Events.ShardResume, isBack);
  return () => {
    isStopped = true;
    cancelCheck?.();
    for (const cancel of away.values()) {
      cancel();
    }
  };
}

function isAnyReady(client: Client): boolean {
  return client.ws.shards.some(({ status }) => status === Status.Ready);
}

/** What discord.js keeps to itself. */
interface PrivateShard {
  sessionInfo: object | null;
}

interface PrivateManager {
  readonly _ws: {
    readonly strategy: {
      readonly shards: ReadonlyMap<
        number,
        { destroy(options: { reason: string; recover: WebSocketShardDestroyRecovery }): Promise<void> }
      >;
    };
  };
}

/** The next connection goes to the gateway itself, in place of the host that READY named for a RESUME, and identifies. */
function abandonSession({ ws }: Client, id: number, log: Log): void {
  const shard = ws.shards.get(id);
  // Private in the types.
  const session = shard as unknown as PrivateShard | undefined;
  if (!session?.sessionInfo) {
    return;
  }
  log.warn({ shard: id }, "gateway session abandoned");
  session.sessionInfo = null;
  if (shard?.status === Status.Resuming) {
    // The host took the connection and does not answer; discord.js waits without an end.
    const { _ws: manager } = ws as unknown as PrivateManager;
    void manager.strategy.shards
      .get(id)
      ?.destroy({ reason: "RESUME had no answer", recover: WebSocketShardDestroyRecovery.Reconnect });
  }
}

// Detects gateway connections that do not recover; discord.js would retry in the same way for ever.
import { type Client, Events, Status, WebSocketShardDestroyRecovery } from "discord.js";
import { type Clock, sleep } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { type PrivateShard, connectionsOf } from "./client-internals.ts";

/** Roughly how long Discord keeps a session: "a few minutes". A shard that has not resumed by then starts a new session. */
const SESSION_LIFE_MS = 3 * 60_000;
const CHECK_INTERVAL_MS = 60_000;
const MAX_CHECKS_WITHOUT_SHARD = 10;

/** Starts to watch. Returns a function that stops it. */
export function watchGateway(deps: {
  readonly client: Client;
  /** Whether any shard serves members, in the client's own session or an earlier one, or a restart would not help. */
  readonly isServing: () => boolean;
  /** Whether Discord's API answers. Never rejects. */
  readonly isApiUp: () => Promise<boolean>;
  /** Called when no shard has served for ten minutes in which the API answered. */
  readonly onLost: () => void;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
}): () => void {
  const { client, isServing, isApiUp, onLost, clock, log } = deps;

  /** Disconnected shards, each with a function that cancels the end of its session. */
  const away = new Map<number, () => void>();
  const stopping = new AbortController();
  let isChecking = false;

  function noteAway(shard: number): void {
    if (!away.has(shard)) {
      away.set(
        shard,
        clock.after(SESSION_LIFE_MS, () => abandonSession(client, shard, log)),
      );
    }
    if (!isChecking) {
      isChecking = true;
      void check();
    }
  }

  function noteBack(shard: number): void {
    away.get(shard)?.();
    away.delete(shard);
  }

  /** Counts checks, not time: a machine that slept has lost its connections, and the time asleep says nothing. */
  async function check(): Promise<void> {
    let failures = 0;
    while (failures < MAX_CHECKS_WITHOUT_SHARD || isServing()) {
      await sleep(clock, CHECK_INTERVAL_MS, stopping.signal).catch(() => undefined);
      if (stopping.signal.aborted || isServing()) {
        isChecking = false;
        return;
      }
      failures = (await isApiUp()) ? failures + 1 : 0;
    }
    if (!stopping.signal.aborted) {
      onLost();
    }
  }

  client.on(Events.ShardReconnecting, noteAway);
  client.on(Events.ShardReady, noteBack);
  client.on(Events.ShardResume, noteBack);
  return () => {
    stopping.abort();
    away.forEach((cancel) => cancel());
  };
}

/** The next connection goes to the gateway itself, not to the host that READY named for a RESUME, and identifies. */
function abandonSession(client: Client, id: number, log: Log): void {
  const shard = client.ws.shards.get(id);
  // Private in the types.
  const session = shard as unknown as PrivateShard | undefined;
  if (!session?.sessionInfo) {
    return;
  }
  log.warn({ shard: id }, "gateway session abandoned");
  session.sessionInfo = null;
  if (shard?.status === Status.Resuming) {
    // The host accepted the connection but does not answer, and discord.js would wait for ever.
    void connectionsOf(client)
      .get(id)
      ?.destroy({ reason: "RESUME had no answer", recover: WebSocketShardDestroyRecovery.Reconnect });
  }
}

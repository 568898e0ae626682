// Starts and stops single shards of a client that has logged in without any. discord.js has no function for this, so it
// uses the same parts that discord.js uses at its own login.
import { setImmediate as nextTurn } from "node:timers/promises";
import { CloseCodes, Events, ShardClientUtil, Status, WebSocketShard } from "discord.js";
import { waitAtMost } from "../core/clock.ts";
import type { GatewaySession } from "../storage/gateway-sessions.ts";
import {
  type PrivateShard,
  confirmOnlySaved,
  connectionsOf,
  forbidReconnecting,
  internalsOf,
} from "./client-internals.ts";
import { type ResumeOptions, type ResumedSession, resumeSession } from "./resume-session.ts";

/** How long to wait for Discord's answer to a close frame. No process runs the shard during that time. */
const CLOSE_TIMEOUT_MS = 300;

/** The shard number with which events of old shards are emitted. */
export const OLD_SHARD = -1;

interface Run {
  readonly own: WebSocketShard;
  /** The same shard with its private parts. */
  readonly state: PrivateShard;
  /** The session of another process, used until the client has its own. */
  readonly earlier: ResumedSession | undefined;
  isStopped: boolean;
}

export type ShardRunner = ReturnType<typeof createShardRunner>;

export function createShardRunner(
  deps: Omit<ResumeOptions, "onChange" | "emitAs" | "savedSequence"> & {
    readonly savedSequence: (sessionId: string) => number | null;
    /** Resolves when it is known whether this process may connect the shard. */
    readonly mayConnect: (shard: number) => Promise<boolean>;
    readonly onStopped: (shard: number) => void;
    /** Called when a shard has begun to serve. */
    readonly onChange: () => void;
  },
) {
  const { mayConnect, onStopped, onChange, ...options } = deps;
  const { client, clock, log, savedSequence } = options;
  const runs = new Map<number, Run>();
  let isRenumbering = false;

  async function connect(shard: number, run: Run): Promise<void> {
    await internalsOf(client).manager?.strategy.spawn([shard]);
    const connection = connectionsOf(client).get(shard);
    if (connection === undefined || run.isStopped) {
      connectionsOf(client).delete(shard);
      return;
    }
    const connectNow = connection.internalConnect.bind(connection);
    connection.internalConnect = async () => {
      if (await mayConnect(shard)) {
        await connectNow();
      }
    };
    confirmOnlySaved(connection, () => savedSequence(run.state.sessionInfo?.sessionId ?? ""));
    await connection.connect();
  }

  /** Removes the servers of shards that this process does not run. */
  function forgetGuilds(): void {
    isRenumbering = false;
    const { shardCount = 1 } = client.options;
    for (const guild of client.guilds.cache.values()) {
      if (!runs.has(ShardClientUtil.shardIdForGuildId(guild.id, shardCount))) {
        guild.channels.cache.forEach((_, id) => client.channels.cache.delete(id));
        client.guilds.cache.delete(guild.id);
      }
    }
  }

  async function stop(shard: number): Promise<GatewaySession | undefined> {
    const run = runs.get(shard);
    if (run === undefined) {
      return undefined;
    }
    const { state, earlier } = run;
    await earlier?.drained();
    // An event is counted a moment before it is handled. After the next turn, both are done.
    await nextTurn();
    run.isStopped = true;
    const ownLeft = state.sessionInfo === null ? undefined : { ...state.sessionInfo, isLeft: true };
    const left = earlier?.leave() ?? ownLeft;
    runs.delete(shard);
    const connection = connectionsOf(client).get(shard);
    if (connection !== undefined) {
      forbidReconnecting(connection);
      const code = left === ownLeft ? CloseCodes.Resuming : CloseCodes.Normal;
      const closing = connection.destroy({ code, reason: "Another process takes over" });
      await waitAtMost(clock, CLOSE_TIMEOUT_MS, closing, undefined).catch((error: unknown) =>
        log.warn({ error, shard }, "shard not closed"),
      );
    }
    clearTimeout(state.readyTimeout ?? undefined);
    connectionsOf(client).delete(shard);
    client.ws.shards.delete(shard);
    onStopped(shard);
    return left;
  }

  return {
    /** Begins to connect; `left` is the session that the last process left. Never throws. */
    start(shard: number, left: GatewaySession | undefined): void {
      // The constructor is private in the types.
      const Shard = WebSocketShard as unknown as new (manager: unknown, id: number) => WebSocketShard;
      const own = new Shard(client.ws, shard);
      const run: Run = {
        own,
        state: own as unknown as PrivateShard,
        earlier: left && resumeSession(left, { ...options, onChange }),
        isStopped: false,
      };
      // discord.js does the same at its login.
      own.on("allReady", (unavailable) => {
        client.emit(Events.ShardReady, shard, unavailable);
        run.earlier?.replace();
        onChange();
      });
      own.status = Status.Connecting;
      client.ws.shards.set(shard, own);
      runs.set(shard, run);
      connect(shard, run).catch((error: unknown) => log.warn({ error, shard }, "shard not connected"));
    },

    /** Returns the session that another process can resume. Never throws. */
    async stop(shard: number): Promise<GatewaySession | undefined> {
      const left = await stop(shard);
      if (!isRenumbering) {
        forgetGuilds();
      }
      return left;
    },

    /** Stops all shards, returns their sessions, and keeps their servers until `forgetGuilds`. Never throws. */
    async renumber(shardCount: number): Promise<readonly GatewaySession[]> {
      isRenumbering = true;
      const left = await Promise.all([...runs.keys()].map(stop));
      client.options.shardCount = shardCount;
      const { manager } = internalsOf(client);
      if (manager !== null) {
        manager.options.shardCount = shardCount;
      }
      return left.flatMap((session) => session ?? []);
    },
    forgetGuilds,

    /** Resumes the session of an old shard; its events are emitted as those of `OLD_SHARD`. */
    resumeOld: (session: GatewaySession): ResumedSession =>
      resumeSession(session, { ...options, emitAs: OLD_SHARD }),

    /** The session that another process could resume if this one died now. */
    session(shard: number): GatewaySession | undefined {
      const run = runs.get(shard);
      const earlier = run?.earlier?.session();
      const own = run?.state.sessionInfo;
      return earlier ?? (own ? { ...own, isLeft: false } : undefined);
    },

    isServing(shard: number): boolean {
      const run = runs.get(shard);
      return run !== undefined && (run.own.status === Status.Ready || run.earlier?.isServing() === true);
    },

    runs: (shard: number): boolean => runs.has(shard),

    /** Whether an event of a shard should be handled; `isOwn`: it arrived in the client's own session. */
    counts(shard: number, isOwn: boolean): boolean {
      const run = runs.get(shard);
      // Until the client is ready, the earlier session delivers all events.
      const isEarly = isOwn && run?.own.status !== Status.Ready && run?.earlier?.isServing() === true;
      return run !== undefined && !isEarly;
    },
  };
}

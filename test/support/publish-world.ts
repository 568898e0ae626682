// The environment of publishing in tests: the real client and the sandbox's video service, a real database, files over
// HTTP, channels in memory, a clock that tests advance, and bot processes that can end in the middle of anything.
import { onTestFinished } from "vitest";
import { createSandboxClock } from "../../sandbox/clock/clock.ts";
import {
  type VideoStandIn,
  type VideoStandInOptions,
  startVideoStandIn,
} from "../../sandbox/video/server.ts";
import { createVideoClient } from "../../src/videos/client/video-client.ts";
import type { VideoTrouble } from "../../src/videos/client/refusal.ts";
import type { Clock } from "../../src/core/clock.ts";
import { createHttp } from "../../src/core/http.ts";
import { collectLog } from "./collect-log.ts";
import type { Reply } from "../../src/core/reply.ts";
import { createAttachments } from "../../src/core/attachments.ts";
import { type PublishRunner, createPublishRunner } from "../../src/videos/publishing/publish-runner.ts";
import { type PresentPublication, type Publish, createPublish } from "../../src/videos/publishing/publish.ts";
import { createPublishableServers } from "../../src/videos/publishing/publishable-servers.ts";
import { createGuildPublications } from "../../src/videos/publishing/leaving-guilds.ts";
import { formatPublicationMark } from "../../src/videos/video-args.ts";
import { isOver } from "../../src/videos/publishing/states.ts";
import type { GuildPublications } from "../../src/core/ports.ts";
import type { Log } from "../../src/core/log.ts";
import type { UsableAccount } from "../../src/videos/accounts/video-accounts.ts";
import { type Actor, type VideoRules, createVideoRules } from "../../src/videos/settings/video-rules.ts";
import type { Database } from "../../src/database.ts";
import { openMemoryDatabase } from "../open.ts";
import type { AccountKey, PublicationRecord } from "../../src/videos/publications-table.ts";
import { type Life, beginLife } from "./life.ts";
import { type FakeDiscord, createFakeDiscord } from "./fake-messenger.ts";
import { sampleVideo, startFileServer } from "./publish-video.ts";

export const GUILD = "g1";
/** The channel of publications' messages. */
export const CHANNEL = "1001";
export const ADA: Actor = { userId: "7", roleIds: [] };
export const GRACE: Actor = { userId: "8", roleIds: [] };
/** Somebody who may not use the command in any server. */
export const STRANGER = "9";

/** Wednesday, 17:20 in the UK. */
export const START_MS = Date.parse("2026-11-18T17:20:00Z");

export interface PublishWorldOptions extends Partial<Omit<VideoStandInOptions, "clock">> {
  readonly upload?: "auto" | "simple" | "chunked";
}

/** A call at which a process crashes: before it happens, or after it, without its answer. */
export interface CrashPoint {
  readonly call: number;
  readonly when: "before" | "after";
}

/** One process of the bot. */
export interface PublishLife extends Life {
  readonly publish: Publish;
  readonly publishableServers: ReturnType<typeof createPublishableServers>;
  readonly runner: PublishRunner;
  readonly rules: VideoRules;
  readonly guilds: GuildPublications;
  /** Calls to the database, the video service, Discord and the CDN so far. */
  readonly calls: () => number;
}

/** The guild's account, which tests can change. */
interface FakeAccounts {
  current: UsableAccount | undefined;
  /** Whether the operator's list still contains the guild. */
  mayPublish: boolean;
  /** The guilds that have linked one of their own. */
  readonly linkedGuilds: Set<string>;
  readonly broken: VideoTrouble[];
  /** Why Discord does not tell a member's rights. */
  rightsFailure?: Error | undefined;
}

/** Opens a world, which closes when the test ends. */
export async function openPublishWorld({ upload = "auto", ...options }: PublishWorldOptions = {}) {
  const clock = createSandboxClock({ atMs: START_MS, mode: "still" });
  const standIn = await startVideoStandIn({ clock, ...options });
  const files = await startFileServer();
  const { log, lines } = collectLog("debug");
  const database = await openMemoryDatabase({ clock, log });
  const discord = createFakeDiscord(clock);
  const accounts: FakeAccounts = {
    current: { key: "operator", account: { token: standIn.tokens.page }, name: "Signal Hall" },
    mayPublish: true,
    linkedGuilds: new Set(),
    broken: [],
  };
  const guilds = [{ id: GUILD, name: "Hall" }];
  const lives: PublishLife[] = [];
  const traffic = createTraffic();

  function begin(crash?: CrashPoint): PublishLife {
    const life = startLife({
      clock,
      standIn,
      files,
      log,
      database,
      discord,
      guilds,
      accounts,
      traffic,
      upload,
      crash,
    });
    lives.push(life);
    return life;
  }

  let isOpen = true;
  async function close(): Promise<void> {
    if (!isOpen) {
      return;
    }
    isOpen = false;
    for (const life of lives) {
      life.end();
    }
    await standIn.close();
    await files.close();
    await database.close();
    clock.stop();
  }
  onTestFinished(close);

  let tickedAtMs = -Infinity;

  /** Runs every process's publish runner, as the job does. */
  function tick(): void {
    if (clock.now() - tickedAtMs >= TICK_MS) {
      tickedAtMs = clock.now();
      for (const life of lives.filter((each) => !each.isOver)) {
        life.runner.run().catch(() => undefined);
      }
    }
  }

  /** Advances the clock whenever all work waits for time, until the condition holds. */
  async function advanceUntil(isDone: () => boolean | Promise<boolean>, mostMs = 3_600_000): Promise<void> {
    const startMs = clock.now();
    while (!(await isDone())) {
      await traffic.quiet();
      if (await isDone()) {
        return;
      }
      const passedMs = clock.now() - startMs;
      if (passedMs > mostMs) {
        throw new Error("the expected state was not reached in time");
      }
      await clock.advance(Math.max(STEP_MS, passedMs / 20));
      tick();
    }
  }

  /** Advances the clock until a publication has come to rest and its message shows it. */
  async function settle(id: string, mostMs?: number): Promise<PublicationRecord> {
    const isSettled = async (): Promise<boolean> => {
      const { state, claimedUntilMs = 0, shownHash, nextAtMs = Infinity } = await row(id);
      const isShown = shownHash !== undefined && nextAtMs > clock.now() + REST_MS;
      return isOver(state) && claimedUntilMs <= clock.now() && isShown;
    };
    await advanceUntil(isSettled, mostMs);
    return row(id);
  }

  async function row(id: string): Promise<PublicationRecord> {
    const record = await database.publications.get(id);
    if (record === undefined) {
      throw new Error(`there is no publication ${id}`);
    }
    return record;
  }

  return {
    clock,
    standIn,
    files,
    database,
    discord,
    guilds,
    accounts,
    lines,
    begin,
    close,
    advanceUntil,
    quiet: () => traffic.quiet(),
    /** The file and texts of a new publication. */
    order: (more: Partial<Parameters<Publish["draft"]>[0]> & { readonly bytes?: Buffer } = {}) => {
      const { bytes = sampleVideo(SMALL_BYTES), ...rest } = more;
      const url = files.put("day.mp4", bytes, clock.now() + 86_400_000);
      return {
        guildId: GUILD,
        channelId: CHANNEL,
        by: ADA,
        title: "Opening day",
        description: "The first train.",
        file: { name: "day.mp4", url, sizeBytes: bytes.byteLength, contentType: "video/mp4" },
        ...rest,
      };
    },
    row,
    settle,
    /** All videos on the service, whatever their state. */
    videos: () => standIn.videos(),
    /** The texts of the messages in a channel. */
    told: (channelId = CHANNEL) =>
      discord.messages
        .filter((message) => message.channelId === channelId && !message.isDeleted)
        .map(({ reply }) => wordsOf(reply)),
    acts: async () =>
      (await database.videoRecords.auditEntries(GUILD, { limit: 100 })).map(({ act }) => act).toReversed(),
  };
}

const SMALL_BYTES = 50_000;
/** Shorter than any wait. */
const STEP_MS = 1_000;
const TICK_MS = 5_000;
/** A publication whose next check is later than this has come to rest. */
const REST_MS = 10 * 60_000;

/** Shows the state and its details; a button carries the publication's id. */
const presentPlainly: PresentPublication = (publication, { forApprovers }) => {
  const { id, state, doneBytes, link, problem, isStopping, title = "no title" } = publication;
  const { approvalAskedAtMs } = publication;
  const words = [
    forApprovers ? "approve?" : "publication",
    state,
    title,
    ...(state === "uploading" ? [`${doneBytes} bytes`] : []),
    ...(problem === undefined ? [] : [`problem ${problem.of} ${problem.trouble ?? problem.kind}`]),
    ...(isStopping ? ["stopping"] : []),
    ...(link === undefined ? [] : [link]),
  ];
  const target = {
    command: "video/doubt",
    action: "look",
    args: formatPublicationMark({ id, forApprovers, approvalAskedAtMs }),
  };
  return {
    blocks: [
      { type: "text", text: words.join(", ") },
      { type: "buttons", buttons: [{ type: "button", label: "Look", target }] },
    ],
  };
};

function wordsOf({ blocks }: Reply): string {
  return blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

/** Tracks whether any work is under way that does not wait for the clock. */
function createTraffic() {
  const underWay = new Map<Life, number>();

  /** Counts a process's pending calls. Those of an ended process no longer count. */
  function count<T extends object>(life: Life, thing: T, onCall: () => void = () => undefined): T {
    return new Proxy(thing, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") {
          return value;
        }
        return (...args: readonly unknown[]) => {
          onCall();
          const result: unknown = Reflect.apply(value, target, args);
          if (result instanceof Promise) {
            const change = (by: number): void => void underWay.set(life, (underWay.get(life) ?? 0) + by);
            change(1);
            void result.catch(() => undefined).finally(() => change(-1));
          }
          return result;
        };
      },
    });
  }

  function isBusy(): boolean {
    return [...underWay].some(([life, calls]) => !life.isOver && calls > 0);
  }

  return {
    count,
    /** Settles when nothing has been under way for some turns of the event loop. */
    async quiet(): Promise<void> {
      const deadlineMs = Date.now() + 20_000;
      for (let turns = 0; turns < 6; turns += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        if (isBusy()) {
          turns = 0;
          if (Date.now() > deadlineMs) {
            throw new Error("the traffic does not stop");
          }
        }
      }
    },
  };
}

interface LifeDependencies {
  readonly clock: Clock;
  readonly standIn: VideoStandIn;
  readonly files: Awaited<ReturnType<typeof startFileServer>>;
  readonly log: Log;
  readonly database: Database;
  readonly discord: FakeDiscord;
  readonly guilds: readonly { readonly id: string; readonly name: string }[];
  readonly accounts: FakeAccounts;
  readonly traffic: ReturnType<typeof createTraffic>;
  readonly upload: "auto" | "simple" | "chunked";
  readonly crash: CrashPoint | undefined;
}

function startLife(deps: LifeDependencies): PublishLife {
  const { standIn, files, log, database, discord, guilds, accounts, traffic, upload, crash } = deps;
  const life = beginLife();
  /** Timers do not outlive their process. */
  const clock: Clock = {
    ...deps.clock,
    after: (delayMs, callback) => deps.clock.after(delayMs, () => (life.isOver ? undefined : callback())),
  };
  // These tests do not test timeouts.
  const http = createHttp({
    clock: { ...clock, after: () => () => undefined },
    log,
    random: () => 0,
  });
  void life.ended.then(() => http.close());
  let calls = 0;

  /** Counts the calls, and ends the process at its crash point. */
  function guard<T extends object>(thing: T): T {
    const fatal = new Proxy(thing, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") {
          return value;
        }
        return async (...args: readonly unknown[]) => {
          calls += 1;
          const isLast = calls === crash?.call;
          if (isLast && crash?.when === "before") {
            life.end();
            return new Promise(() => undefined);
          }
          const result: unknown = await Reflect.apply(value, target, args);
          if (isLast) {
            life.end();
          }
          return result;
        };
      },
    });
    return life.guard(fatal);
  }

  const client = createVideoClient({
    baseUrl: new URL(standIn.baseUrl),
    version: "v26.0",
    tokenIn: "header",
    http: traffic.count(life, http),
    clock,
    log,
  });
  const messenger = traffic.count(life, guard(discord.messenger(() => life.end())));
  const rules = createVideoRules({
    records: traffic.count(life, guard(database.videoRecords)),
    messenger: discord.messenger(),
    defaultZone: "Europe/London",
    clock,
    log,
  });
  const byKey = async (_guildId: string, key: AccountKey) =>
    accounts.current?.key === key ? accounts.current : undefined;
  const shared = {
    publications: traffic.count(life, guard(database.publications)),
    accounts: {
      canLink: true,
      of: async () => (accounts.mayPublish ? accounts.current : undefined),
      byKey,
      toPublish: async (guildId: string, key: AccountKey) =>
        accounts.mayPublish ? byKey(guildId, key) : undefined,
      async markBroken(_guildId: string, _key: AccountKey, because: VideoTrouble) {
        accounts.broken.push(because);
      },
    },
    rules,
    client: guard(client),
    sources: createAttachments({ http: traffic.count(life, http), hosts: [files.host], clock }),
    messenger,
    present: presentPlainly,
    upload,
    clock,
    log,
  };
  const runner = createPublishRunner(shared);
  const publishableServers = createPublishableServers({
    ...shared,
    accounts: {
      linkedGuilds: async () => accounts.linkedGuilds,
      mayUseOperator: () => accounts.mayPublish,
    },
    guilds: async () => guilds,
    rights: {
      async findAllowedMember(_guildId, userId) {
        if (accounts.rightsFailure !== undefined) {
          throw accounts.rightsFailure;
        }
        return userId === STRANGER ? undefined : { roleIds: [] };
      },
    },
  });
  return {
    get isOver() {
      return life.isOver;
    },
    end: () => life.end(),
    ended: life.ended,
    guard: (thing) => life.guard(thing),
    publish: createPublish({ ...shared, runner }),
    publishableServers,
    runner,
    rules,
    guilds: createGuildPublications({ ...shared, runner }),
    calls: () => calls,
  };
}

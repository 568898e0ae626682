// The bot's messenger with a local Discord and all its limits, without the rest of the bot. When the scene closes,
// every request is checked against Discord's OpenAPI document.
import { REST, Routes } from "discord.js";
import { createSandboxClock, type SandboxClock } from "../../sandbox/clock/clock.ts";
import { startCommunity, type CommunityDiscord } from "../../sandbox/community.ts";
import type { Clock } from "../../src/core/clock.ts";
import { collectLog } from "../support/collect-log.ts";
import { textReply, type Reply } from "../../src/core/reply.ts";
import { noMeter } from "../../src/core/meter.ts";
import { restOptions } from "../../src/discord/rest.ts";
import { createMessenger } from "../../src/discord/messenger.ts";
import { createLimiterTime } from "../../src/discord/rate-limiter.ts";
import { type RateLimitedRest, createRateLimitedRest } from "../../src/discord/rate-limited-rest.ts";
import { createTokenWatch } from "../../src/discord/token-watch.ts";
import { MessengerError, type Messenger } from "../../src/core/ports.ts";
import type { RequestRate } from "../../src/storage/facts-table.ts";
import { openapiChecker } from "../support/openapi-checker.ts";
import { plainReplies } from "../support/plain-replies.ts";

export interface MessengerScene extends AsyncDisposable {
  readonly discord: CommunityDiscord;
  readonly clock: SandboxClock;
  readonly messenger: Messenger;
  /** Starts the messenger of another process of the same bot. */
  readonly startOther: () => Messenger;
  /** The bot's other REST client, whose requests count too. */
  readonly rest: REST;
  /** The waits before retries, which end at once. */
  readonly waitsMs: readonly number[];
  /** The log lines. */
  readonly lines: readonly string[];
  /** Makes the machine sleep: time passes for the bot, but no timer fires. */
  sleep(ms: number): void;
  /** Whether the messenger has stopped sending because of the token. */
  readonly isTokenRefused: () => boolean;
  /** Stops the messengers, as the bot does when it stops. */
  stop(): void;
}

export interface SceneOptions {
  readonly answerTimeoutMs?: number;
  readonly token?: string;
  /** The address to send to. Default: the local Discord. */
  readonly baseUrl?: string;
  /** The store through which processes share the limit. Default: each is alone. */
  readonly requestRate?: RequestRate;
  /** Called when a retry has to wait. */
  readonly onWait?: (scene: Pick<MessengerScene, "clock">) => void;
  /** Whether to check the requests on close. Default true. */
  readonly checksRequests?: boolean;
}

/** Opens the scene. Its clock stands still at 17:20 on 18 November 2026. */
export async function openMessenger(options: SceneOptions = {}): Promise<MessengerScene> {
  const clock = createSandboxClock({ atMs: Date.parse("2026-11-18T17:20:00Z"), mode: "still" });
  const discord = await startCommunity({ clock, seed: 1 });
  const waitsMs: number[] = [];
  const { log, lines } = collectLog();
  let sleptMs = 0;
  const eager: Clock = {
    now: () => clock.now() + sleptMs,
    elapsed: () => clock.elapsed() + sleptMs,
    after(delayMs, callback) {
      waitsMs.push(delayMs);
      options.onWait?.({ clock });
      const turn = setImmediate(callback);
      return () => clearImmediate(turn);
    },
  };
  const time = createLimiterTime(clock);
  const config = {
    token: options.token ?? discord.token,
    apiBaseUrl: new URL(`${options.baseUrl ?? discord.baseUrl}/api`),
    cdnHosts: [],
    shards: "auto",
    shardCount: "auto",
  } as const;
  const tokenWatch = createTokenWatch({
    ask: () => new REST(restOptions(config, noMeter)).setToken(config.token).get(Routes.user()),
    onRefused: () => undefined,
    clock,
    log,
  });
  const rests: RateLimitedRest[] = [];
  function startOther(): Messenger {
    const limitedRest = createRateLimitedRest({
      meter: noMeter,
      config,
      tokenWatch,
      requestRate: options.requestRate,
      clock: eager,
      time,
      log,
      answerTimeoutMs: options.answerTimeoutMs,
    });
    rests.push(limitedRest);
    return createMessenger({
      limitedRest,
      self: () => discord.applicationId,
      replies: plainReplies(log),
      clock: eager,
      time,
      log,
    });
  }
  const messenger = startOther();
  const rest = new REST(restOptions(config, noMeter)).setToken(config.token);
  rests[0]?.include(rest);
  const stop = () => Promise.all(rests.map((each) => each.stop()));
  return {
    discord,
    clock,
    messenger,
    startOther,
    rest,
    waitsMs,
    lines,
    sleep(ms) {
      sleptMs += ms;
    },
    isTokenRefused: tokenWatch.isRefused,
    stop: () => void stop(),
    async [Symbol.asyncDispose]() {
      tokenWatch.stop();
      await stop();
      rest.clearHashSweeper();
      rest.clearHandlerSweeper();
      await discord.close();
      clock.stop();
      const findings = options.checksRequests === false ? [] : findingsIn(discord);
      if (findings.length > 0) {
        throw new Error(`Discord would refuse what the bot sent:\n${findings.join("\n")}`);
      }
    },
  };
}

function findingsIn(discord: CommunityDiscord): readonly string[] {
  const bugs = discord.bugs.map((bug) => `a bug in the sandbox: ${String(bug)}`);
  return [
    ...bugs,
    ...discord.unknownRoutes,
    ...discord.requests.flatMap((request) => openapiChecker().findings(request)),
  ];
}

/** The problem with which the messenger fails, as `problem` or `problem after ms`; `sent` if it succeeds. */
export async function outcomeOf(sending: Promise<unknown>): Promise<string> {
  try {
    await sending;
    return "sent";
  } catch (error) {
    if (!(error instanceof MessengerError)) {
      throw error;
    }
    return error.retryAfterMs === undefined
      ? error.problem
      : `${error.problem} after ${Math.round(error.retryAfterMs)}`;
  }
}

/** A small board: text, a picture and a button. */
export function boardReply(text = "York", sizeBytes = 100): Reply {
  const target = { command: "board/show", action: "refresh", args: { b: "abcd1234", s: "zik0zj" } };
  return {
    blocks: [
      {
        type: "container",
        blocks: [
          { type: "text", text },
          { type: "gallery", items: [{ file: "board.png" }] },
          { type: "buttons", buttons: [{ type: "button", label: "Refresh", target }] },
        ],
      },
    ],
    files: [{ name: "board.png", bytes: new Uint8Array(sizeBytes).fill(7), description: "A board" }],
  };
}

export const hello = textReply("hello @everyone");

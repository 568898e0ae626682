// A complete world in one value: a local Discord with members, stand-ins for the services, and the real bot. Tests,
// benchmarks and the sandbox's entry each open their own; worlds share nothing.
import { createBotControl, type BotPlace } from "./bot/control.ts";
import type { BotSurroundings } from "./bot/running-bot.ts";
import { createSandboxClock, type ClockMode } from "./clock/clock.ts";
import { createClockControl } from "./clock/clock-control.ts";
import { startCommunity } from "./community.ts";
import { createControlRoutes } from "./control/routes.ts";
import type { PlatformSettings } from "./discord/platform.ts";
import { isInteractionOpen } from "./discord/rules/interactions.ts";
import { startRailDataStandIn } from "./rail-data/server.ts";
import type { SourceName } from "./options.ts";
import { startStyleStandIn, type StyleStandInOptions } from "./style/server.ts";
import { startTflStandIn } from "./tfl/server.ts";
import { startTransportStandIn } from "./transport/server.ts";
import { startVideoStandIn, type VideoStandInOptions } from "./video/server.ts";

export interface WorldOptions {
  /** `inside` (default): in this process. `process`: in a child process. `none`: any client may log in. */
  readonly bot?: BotPlace;
  /** Whether to start the bot at once (default); otherwise call `world.bot.start()`. */
  readonly startsBot?: boolean;
  readonly onBotLine?: (line: string) => void;
  /** A file's descriptor for the log of a bot in a `process`, as in production. Default: the world reads it. */
  readonly botLogFile?: number;
  /**
   * Whether a bot in a `process` collects the garbage of its start. Default true; not worth it if the bot runs for only
   * a few seconds.
   */
  readonly collectsGarbage?: boolean;
  /** The initial time, ISO 8601. */
  readonly at?: string;
  readonly clock?: ClockMode;
  /** The same seed gives the same ids, names and trains. */
  readonly seed?: number;
  /** The sources that the bot is configured with. Default: only the transport service. */
  readonly sources?: readonly SourceName[];
  /** Overrides parts of the bot's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** A folder of commands to load instead of the bot's own. */
  readonly commandsDir?: URL;
  /** Wraps every database statement of a bot that runs `inside`. Default: no wrapper. */
  readonly intercept?: BotSurroundings["intercept"];
  /** The initial content of a database in memory, of a bot that runs `inside`. Default: none. */
  readonly content?: BotSurroundings["content"];
  /** Replaces the start of the picture process of a bot that runs `inside`. */
  readonly startPictureChild?: BotSurroundings["startPictureChild"];
  /**
   * Overrides of values that Discord does not document or may change. The defaults are Discord's, except
   * `identifyWindowMs`: a world's bot may identify at any time, so that a restart does not take 5 s as at Discord.
   */
  readonly settings?: Partial<PlatformSettings>;
  /** Bits of the privileged intents granted to the bot in the portal. Default none. */
  readonly privilegedIntents?: number;
  /** When the bot's application was created, ISO 8601; determines its id. Default 1 June 2020. */
  readonly applicationMadeAt?: string;
  /** The style service's initial behaviour; `parameters` determines its catalogue. */
  readonly style?: Partial<Pick<StyleStandInOptions, "shape" | "parameters" | "jobMs">>;
  readonly video?: Partial<Omit<VideoStandInOptions, "clock" | "port" | "onUnknown">>;
  /** The local Discord's port; 0 (default) takes a free one. */
  readonly port?: number;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

const DEFAULT_AT = "2026-11-18T17:20:00Z";
/** Encrypts what the bot stores. Used only in the sandbox. */
const SECRET_KEY = Buffer.from("the sandbox's key for everything").toString("base64");

/** Opens a world and waits until the bot is ready, unless `startsBot` is false. */
export async function openWorld(options: WorldOptions = {}) {
  const seed = options.seed ?? 1;
  const clock = createSandboxClock({
    atMs: Date.parse(options.at ?? DEFAULT_AT),
    mode: options.clock ?? "still",
  });
  const [discord, style, transport, tfl, video] = await Promise.all([
    startCommunity({
      clock,
      seed,
      port: options.port ?? 0,
      settings: { identifyWindowMs: 0, ...options.settings },
      privilegedIntents: options.privilegedIntents ?? 0,
      applicationMadeAt: options.applicationMadeAt,
    }),
    startStyleStandIn({ clock, ...options.style }),
    startTransportStandIn({ clock, seed }),
    startTflStandIn({ clock, seed }),
    startVideoStandIn({ clock, ...options.video }),
  ]);
  const railData = await startRailDataStandIn({
    clock,
    railway: { timetable: transport.timetable, seed },
  });
  const envOfSource = {
    transport: {
      TRANSPORT_API_BASE_URL: transport.baseUrl,
      TRANSPORT_APP_ID: transport.appId,
      TRANSPORT_APP_KEY: transport.appKey,
      TRANSPORT_BUDGET: "1000/hour",
    },
    "rail-data": railData.env,
    tfl: tfl.env,
  };
  const env = {
    DISCORD_TOKEN: discord.token,
    DISCORD_API_BASE_URL: `${discord.baseUrl}/api`,
    DISCORD_CDN_HOSTS: new URL(discord.baseUrl).host,
    STYLE_API_BASE_URL: style.baseUrl,
    STYLE_API_KEY: style.apiKey,
    STYLE_CATALOGUE: style.catalogueFile,
    ...Object.assign({}, ...(options.sources ?? ["transport"]).map((source) => envOfSource[source])),
    VIDEO_API_BASE_URL: video.baseUrl,
    VIDEO_API_VERSION: video.version,
    VIDEO_ACCESS_TOKEN: video.tokens.page,
    VIDEO_GUILDS: "*",
    VIDEO_APP_SECRET: video.appSecret,
    SECRET_KEY,
    // Tests that let days pass expect no other messages than their own.
    OWNER_NOTICES: "off",
    // The data is lost when the bot ends. To keep it, override this with a file or a server.
    DATABASE_URL: "sqlite::memory:",
    BACKUP_DAYS: "0",
    ...options.env,
  };
  const bot = createBotControl(
    options.bot ?? "inside",
    {
      env,
      clock,
      commandsDir: options.commandsDir,
      intercept: options.intercept,
      content: options.content,
      startPictureChild: options.startPictureChild,
      logFile: options.botLogFile,
      collectsGarbage: options.collectsGarbage,
    },
    options.onBotLine,
  );
  const isAnswerAwaited = (withinMs: number) =>
    [discord.traffic, style, transport, railData, tfl, video].some(({ calls }) => calls.isAwaited(withinMs));
  const clockControl = createClockControl({
    clock,
    bot,
    isAwaited: (withinMs) => isInteractionOpen(discord.platform) || isAnswerAwaited(withinMs),
  });
  discord.mount(
    "/_sandbox",
    createControlRoutes({ discord, clock, clockControl, style, transport, railData, tfl, video, bot }),
  );

  async function close(): Promise<void> {
    await bot.stop();
    await Promise.all([discord, style, transport, railData, tfl, video].map((server) => server.close()));
    clock.stop();
  }

  try {
    if (options.startsBot !== false) {
      await bot.start();
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    /** The environment that points a bot at this sandbox. */
    env,
    clock,
    discord,
    style,
    transport,
    railData,
    tfl,
    video,
    guild: discord.community.guild,
    channels: discord.community.channels,
    bot,
    /** Ada (owner), Grace (moderator), Alan or Mary (members). Throws for an unknown name. */
    member: discord.member,
    /** A channel as the member `as` sees it, one line per visible thing; without `as`, as everyone sees it. */
    transcript: discord.transcript,
    /** Runs the bot's next tick now. The bot also ticks automatically, by the machine's clock. */
    tick: () => bot.tick(),
    /** Whether a client is waiting for an answer, and has waited less than this many real milliseconds. */
    isAnswerAwaited,
    close,
    [Symbol.asyncDispose]: close,
  };
}

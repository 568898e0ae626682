// The local Discord: one HTTP server with REST, gateway and CDN, and the people in it.
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import type { RateClock } from "../clock/clock.ts";
import { createFaults, type Faults, type ServerEnv } from "../faults/faults.ts";
import { close, listen } from "../http/listen.ts";
import type { Member } from "./actors/acts.ts";
import { createMember } from "./actors/member.ts";
import { createArrangement, type Arrangement } from "./arrangement.ts";
import { createCdn } from "./cdn.ts";
import { createChanges, type Changes } from "./changes.ts";
import type { Channel } from "./entities.ts";
import { DEFAULT_SETTINGS } from "./default-settings.ts";
import { formatFaultAnswer, scopeOf, type DiscordFaultKind } from "./fault-answers.ts";
import { createGateway, type Gateway } from "./gateway/server.ts";
import { createLimits, type Limits } from "./limits/limits.ts";
import type { Platform, PlatformSettings } from "./platform.ts";
import { createRecorder, type RecordedRequest } from "./record.ts";
import { createApi } from "./routes/api.ts";
import { API_PREFIX } from "./routes/environment.ts";
import { seed, type SeedPlan } from "./seed.ts";
import { createIdSource } from "./snowflake.ts";
import { createState, userNamed, type State } from "./state.ts";
import { createTraffic, type Traffic } from "./traffic.ts";
import { formatTranscript } from "./transcript.ts";

export interface LocalDiscordOptions extends SeedPlan {
  readonly clock: RateClock;
  /** Determines tokens: the same seed and actions give the same tokens. */
  readonly seed: number;
  readonly application: {
    readonly name: string;
    /** ISO 8601; determines its id. Default 1 June 2020. */
    readonly madeAt?: string | undefined;
    /** Bits of the privileged intents granted in the portal. Default none. */
    readonly privilegedIntents?: number;
  };
  /** 0 takes a free one. */
  readonly port?: number;
  /** Rules that Discord leaves open or may change. */
  readonly settings?: Partial<PlatformSettings>;
}

export interface LocalDiscord extends Arrangement {
  /** E.g. `http://127.0.0.1:40001`; the API is below `/api`. */
  readonly baseUrl: string;
  /** The bot's token; changes when Discord resets it. */
  readonly token: string;
  readonly applicationId: string;
  readonly platform: Platform;
  readonly state: State;
  readonly settings: PlatformSettings;
  readonly changes: Changes;
  readonly gateway: Gateway;
  /** Faults of the API and the CDN; the gateway has its own. */
  readonly faults: Faults<DiscordFaultKind>;
  readonly limits: Limits;
  /** The requests to the API, oldest first; at most the last 40,000. */
  readonly requests: readonly RecordedRequest[];
  /** The most recent requests and gateway payloads. */
  readonly traffic: Traffic;
  /** `GET /path` of requests to routes that do not exist. */
  readonly unknownRoutes: readonly string[];
  /** Errors of the sandbox itself: a test that sees one has found a bug here. */
  readonly bugs: readonly unknown[];
  /** The actor of a user, by display name. Throws for an unknown name. */
  member(name: string): Member;
  /** A channel as plain lines, as a member sees it; without a member, what everyone sees. */
  transcript(channel: Channel, as?: Member): readonly string[];
  /** Adds routes, e.g. the page. They come after the API and the CDN. */
  mount(path: string, routes: Hono): void;
  /** Clears what was recorded and counted. It changes nothing else, and lifts no limit. */
  forgetRequests(): void;
  close(): Promise<void>;
}

const APPLICATION_MADE_AT = "2020-06-01T00:00:00Z";

/** Starts it on 127.0.0.1. */
export async function startLocalDiscord(options: LocalDiscordOptions): Promise<LocalDiscord> {
  const { clock } = options;
  const ids = createIdSource(clock, options.seed);
  const { name, madeAt = APPLICATION_MADE_AT, privilegedIntents = 0 } = options.application;
  const applicationId = ids.at(Date.parse(madeAt));
  const state = createState({
    id: applicationId,
    name,
    token: formatToken(applicationId, ids.tokenFor(applicationId)),
    privilegedIntents,
  });
  const changes = createChanges();
  const settings = { ...DEFAULT_SETTINGS, ...options.settings };
  let baseUrl = "";
  const platform: Platform = {
    clock,
    ids,
    state,
    changes,
    settings,
    get baseUrl() {
      return baseUrl;
    },
    secret: ids.tokenFor(`links ${options.seed}`),
  };
  seed(platform, options);
  let tokens = 0;
  const makeToken = () => {
    tokens += 1;
    return formatToken(applicationId, ids.tokenFor(`${applicationId} ${tokens}`));
  };
  const gateway = createGateway(platform, makeToken, (said) => traffic.noteGateway(said));
  const recorder = createRecorder(
    () => clock.now(),
    (record) => limits.count(record),
  );
  const limits = createLimits(platform, recorder);
  const traffic = createTraffic(
    () => clock.now(),
    recorder,
    (token) => state.interactionsByToken.get(token)?.id,
  );
  const unknownRoutes: string[] = [];
  const bugs: unknown[] = [];
  const faults = createFaults<DiscordFaultKind>({
    prefix: API_PREFIX,
    answer: formatFaultAnswer,
    onMet(request, kind) {
      const record = recorder.of(request);
      if (record !== undefined) {
        record.fault = kind;
        record.refusedBy = scopeOf(kind);
      }
    },
  });

  const app = new Hono<ServerEnv>();
  // Mounted routes, such as the page, have no faults.
  for (const path of ["/api/*", "/attachments/*"]) {
    app.use(path, limits.judge, faults.meet);
  }
  app.route(
    API_PREFIX,
    createApi({
      platform,
      recorder,
      onUnknownRoute: (route) => unknownRoutes.push(route),
      onBug(error) {
        bugs.push(error);
        console.error("a bug in the sandbox:", error);
      },
    }),
  );
  app.route("/", createCdn(platform));
  // A router accepts no routes once it has answered, so later ones get a router of their own.
  const mounts: [path: string, routes: Hono][] = [];
  let mounted = new Hono();
  app.all("*", (context) => mounted.fetch(context.req.raw, context.env));

  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => {
    traffic.noteRequest(request, response);
    void answer(request, response);
  });
  server.on("upgrade", (request, socket, head) => {
    if (request.url?.startsWith("/gateway")) {
      gateway.upgrade(request, socket, head);
    } else {
      socket.destroy();
    }
  });
  baseUrl = await listen(server, options.port ?? 0);
  const stage = { platform, gateway };
  const arrangement = createArrangement(platform);

  return {
    baseUrl,
    get token() {
      return state.application.token;
    },
    applicationId,
    platform,
    state,
    settings,
    changes,
    gateway,
    faults,
    limits,
    requests: recorder.requests,
    traffic,
    unknownRoutes,
    bugs,
    member: (displayName) => createMember(stage, userNamed(state, displayName)),
    ...arrangement,
    transcript: (channel, as) => formatTranscript(platform, channel, as?.id),
    mount(path, routes) {
      mounts.push([path, routes]);
      mounted = new Hono();
      for (const [place, those] of mounts) {
        mounted.route(place, those);
      }
    },
    forgetRequests() {
      recorder.requests.length = 0;
      limits.forgetCounts();
    },
    async close() {
      gateway.close();
      faults.clear();
      await close(server);
    },
  };
}

/** A token in Discord's format: the application's id, a time, a secret. */
function formatToken(applicationId: string, secret: string): string {
  return `${Buffer.from(applicationId).toString("base64url")}.sandbx.${secret.slice(-38)}`;
}

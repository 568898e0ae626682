// The local Discord: one HTTP server with REST, gateway and CDN, and the people in it.
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import type { RateClock } from "../clock/clock.ts";
import { createFaults, type ServerEnv } from "../faults/faults.ts";
import { close, listen } from "../http/listen.ts";
import { createMember, type Member } from "./actors/member.ts";
import { createArrangement } from "./arrangement.ts";
import { createCdn } from "./cdn.ts";
import { createChanges } from "./changes.ts";
import type { Channel } from "./entities.ts";
import { formatFaultAnswer, scopeOf, type DiscordFaultKind } from "./fault-answers.ts";
import { createGateway } from "./gateway/server.ts";
import { createLimits } from "./limits/limits.ts";
import { DEFAULT_SETTINGS, type Platform, type PlatformSettings } from "./platform.ts";
import { createRecorder } from "./record.ts";
import { createApi } from "./routes/api.ts";
import { API_PREFIX } from "./routes/environment.ts";
import { createIdSource } from "./snowflake.ts";
import { createState, userNamed } from "./state.ts";
import { createTraffic } from "./traffic.ts";
import { formatTranscript } from "./transcript.ts";

export interface LocalDiscordOptions {
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
  readonly settings?: Partial<PlatformSettings>;
}

export type LocalDiscord = Awaited<ReturnType<typeof startLocalDiscord>>;

const APPLICATION_MADE_AT = "2020-06-01T00:00:00Z";

/** Starts a local Discord on 127.0.0.1. The bot is its only user at first. */
export async function startLocalDiscord(options: LocalDiscordOptions) {
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
  const settings: PlatformSettings = { ...DEFAULT_SETTINGS, ...options.settings };
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
  const bot = { displayName: name, username: name.toLowerCase(), bot: true, locale: "en-GB" };
  state.users.set(applicationId, { id: applicationId, ...bot });
  let tokens = 0;
  const makeToken = () => {
    tokens += 1;
    return formatToken(applicationId, ids.tokenFor(`${applicationId} ${tokens}`));
  };
  const gateway = createGateway(platform, makeToken, (payload) => traffic.recordPayload(payload));
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
    onInjected(request, kind) {
      const record = recorder.of(request);
      if (record !== undefined) {
        record.fault = kind;
        record.refusedBy = scopeOf(kind);
      }
    },
  });

  const app = new Hono<ServerEnv>();
  // Mounted routes, such as the page, have no faults.
  for (const path of ["/api/*", "/attachments/*", "/ephemeral-attachments/*"]) {
    app.use(path, limits.judge, faults.middleware);
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
  // A router accepts no routes once it has answered a request, so each mount creates a new router.
  const mounts: [path: string, routes: Hono][] = [];
  let mounted = new Hono();
  app.all("*", (context) => mounted.fetch(context.req.raw, context.env));

  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => {
    traffic.recordRequest(request, response);
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
  const actorContext = { platform, gateway };

  return {
    /** E.g. `http://127.0.0.1:40001`; the API is below `/api`. */
    baseUrl,
    /** The bot's token; changes when Discord resets it. */
    get token() {
      return state.application.token;
    },
    applicationId,
    platform,
    state,
    settings,
    changes,
    gateway,
    /** Faults of the API and the CDN; the gateway has its own. */
    faults,
    limits,
    /** The requests to the API, oldest first; at most the last 40,000. */
    requests: recorder.requests,
    traffic,
    /** Requests to routes that do not exist, e.g. `GET /path`. */
    unknownRoutes,
    bugs,
    /** The actor of a user, by display name. Throws for an unknown name. */
    member: (displayName: string) => createMember(actorContext, userNamed(state, displayName)),
    ...createArrangement(platform),
    /** A channel as plain lines, as a member sees it; without a member, what everyone sees. */
    transcript: (channel: Channel, as?: Member) => formatTranscript(platform, channel, as?.id),
    /** Adds routes, e.g. the page. They come after the API and the CDN. */
    mount(path: string, routes: Hono) {
      mounts.push([path, routes]);
      mounted = new Hono();
      for (const [place, those] of mounts) {
        mounted.route(place, those);
      }
    },
    /** Clears the recorded requests and the counts. Limits remain in force. */
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

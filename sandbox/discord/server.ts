// The local Discord: one HTTP server with REST, gateway and CDN, and the people in it.
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import type { Clock } from "../../src/core/clock.ts";
import { createFaults, type Faults, type Listener } from "../faults.ts";
import type { Member } from "./actors/acts.ts";
import { createMember } from "./actors/member.ts";
import { createCdn } from "./cdn.ts";
import { createChanges, type Changes } from "./changes.ts";
import {
  addChannel,
  addGuild,
  addRole,
  openPrivateChannel,
  seedCommunity,
  type Community,
  type GuildPlan,
  type RolePlan,
} from "./community.ts";
import type { Channel, Command, CommandPermission, Guild, Overwrite, User } from "./entities.ts";
import { DEFAULT_SETTINGS } from "./default-settings.ts";
import { formatFaultAnswer, scopeOf } from "./fault-answers.ts";
import { createGateway, type Gateway } from "./gateway/server.ts";
import { createLimits, type Limits } from "./limits/limits.ts";
import type { Platform, PlatformSettings } from "./platform.ts";
import { createRecorder, type RecordedRequest } from "./record.ts";
import { createReset } from "./reset.ts";
import { createApi } from "./routes/api.ts";
import { API_PREFIX } from "./routes/environment.ts";
import { createIdSource } from "./snowflake.ts";
import { createState, type State } from "./state.ts";
import { createTraffic, type Traffic } from "./traffic.ts";
import { formatTranscript } from "./transcript.ts";

export interface LocalDiscordOptions {
  readonly clock: Clock;
  readonly seed: number;
  /** 0 takes a free one. */
  readonly port?: number;
  readonly settings?: Partial<PlatformSettings>;
  /** Bits of privileged intents that the portal has granted. Default none. */
  readonly privilegedIntents?: number;
}

export interface LocalDiscord {
  /** E.g. `http://127.0.0.1:40001`; the API is below `/api`. */
  readonly baseUrl: string;
  /** The bot's token; another one once Discord has reset it. */
  readonly token: string;
  readonly applicationId: string;
  readonly platform: Platform;
  readonly state: State;
  readonly settings: PlatformSettings;
  readonly changes: Changes;
  readonly gateway: Gateway;
  /** Of the API and the CDN; the gateway has its own. */
  readonly faults: Faults;
  readonly limits: Limits;
  /** Every request to the API, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** The last of them and of what was said over the gateway. */
  readonly traffic: Traffic;
  /** `GET /path` of requests to routes that nobody has built. */
  readonly unknownRoutes: readonly string[];
  /** Errors of the sandbox itself: a test that sees one has found a bug here. */
  readonly bugs: readonly unknown[];
  readonly community: Community;
  /** The actor of a user, by display name. Throws for a name that nobody has. */
  member(name: string): Member;
  /** Adds a person; they are in no guild yet. */
  addUser(name: string): User;
  /** Makes a guild with the bot in it and tells the bot. */
  addGuild(plan: GuildPlan): Guild;
  /** Makes a channel (`kind` 0 text, 5 announcement, 15 forum) and tells the bot. */
  addChannel(guild: Guild, name: string, kind?: 0 | 5 | 15, overwrites?: Overwrite[]): Channel;
  /** Makes a role and gives it to members. */
  addRole(guild: Guild, role: RolePlan): string;
  /** The bot leaves a guild, or the guild is away for a while. */
  removeGuild(guild: Guild, options?: { readonly unavailable?: boolean }): void;
  /** A conversation between people by name, without the bot: two of them, or a group. */
  openPrivateChannel(...names: readonly string[]): Channel;
  /** The user installs the application for themselves, or removes it. */
  setUserInstall(name: string, isInstalled: boolean): void;
  /** The user lets the bot write them direct messages, as all do at first, or no longer: 50007. */
  setDirectMessages(name: string, areOpen: boolean): void;
  /** A guild's administrators decide who may use a command, 100 decisions at most; an empty list undoes it. */
  setCommandPermissions(guild: Guild, command: Command, permissions: CommandPermission[]): void;
  /** Plain lines of a channel as a member sees it; without one, what all see. */
  transcript(channel: Channel, as?: Member): readonly string[];
  /** Routes of others, e.g. the page. They are asked after the API and the CDN. */
  mount(path: string, routes: Hono): void;
  /** Forgets what was recorded and counted; nothing else changes, and nothing becomes allowed by it. */
  forgetRequests(): void;
  /**
   * Back to the community of the beginning, without messages, faults, records and spent limits. Commands stay, and
   * who is logged in: they are told of guilds and channels that go.
   */
  reset(): void;
  close(): Promise<void>;
}

/** A guild's own decisions about one command. */
const MAX_COMMAND_PERMISSIONS = 100;

/** 1 June 2020: when the application was made. */
const APPLICATION_MADE_AT_MS = 1_590_969_600_000;

/** Starts it on 127.0.0.1. */
export async function startLocalDiscord(options: LocalDiscordOptions): Promise<LocalDiscord> {
  const { clock, seed } = options;
  const ids = createIdSource(clock, seed);
  const applicationId = ids.at(APPLICATION_MADE_AT_MS);
  const state = createState({
    id: applicationId,
    name: "Signalbox",
    token: formatToken(applicationId, ids.tokenFor(applicationId)),
    privilegedIntents: options.privilegedIntents ?? 0,
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
    secret: ids.tokenFor(`links ${seed}`),
  };
  const community = seedCommunity(platform);
  let tokens = 0;
  const makeToken = () => {
    tokens += 1;
    return formatToken(applicationId, ids.tokenFor(`${applicationId} ${tokens}`));
  };
  const gateway = createGateway(platform, makeToken, (said) => traffic.noteGateway(said));
  const restore = createReset(platform, community);
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
  const faults = createFaults({
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

  const app = new Hono();
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
  // A router takes no routes once it has answered, so those that come later stand in one of their own.
  const mounts: [path: string, routes: Hono][] = [];
  let mounted = new Hono();
  app.all("*", (context) => mounted.fetch(context.req.raw, context.env));

  const fetching = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const answer: Listener = (request, response) => void fetching(request, response);
  const listener = limits.wrap(faults.wrap(answer));
  const server = createServer((request, response) => {
    traffic.noteRequest(request, response);
    // What is mounted, e.g. the page, has no bad days.
    const isDiscord = /^\/(api|attachments)\//.test(request.url ?? "");
    (isDiscord ? listener : answer)(request, response);
  });
  server.on("upgrade", (request, socket, head) => {
    if (request.url?.startsWith("/gateway")) {
      gateway.upgrade(request, socket, head);
    } else {
      socket.destroy();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const address = server.address();
  baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const stage = { platform, gateway };

  function userNamed(name: string): User {
    const user = [...state.users.values()].find(({ displayName }) => displayName === name);
    if (user === undefined) {
      throw new Error(`nobody is called ${name}`);
    }
    return user;
  }

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
    community,
    member(name) {
      return createMember(stage, userNamed(name));
    },
    addUser(name) {
      const user = {
        id: ids.next(),
        username: name.toLowerCase(),
        displayName: name,
        bot: false,
        locale: "en-GB",
      };
      state.users.set(user.id, user);
      return user;
    },
    addGuild(plan) {
      const guild = addGuild(platform, plan);
      if (plan.withoutBot !== true) {
        changes.tell({ type: "guild-joined", guild });
      }
      return guild;
    },
    addChannel(guild, name, kind, overwrites) {
      const channel = addChannel(platform, guild, name, kind, overwrites);
      changes.tell({ type: "channel-created", channel });
      return channel;
    },
    addRole: (guild, role) => addRole(platform, guild, role),
    removeGuild(guild, { unavailable = false } = {}) {
      if (!unavailable) {
        guild.members.delete(applicationId);
      }
      changes.tell({ type: "guild-left", guild, unavailable });
    },
    openPrivateChannel: (...names) =>
      openPrivateChannel(
        platform,
        names.map((name) => userNamed(name).id),
      ),
    setUserInstall(name, isInstalled) {
      state.userInstalls[isInstalled ? "add" : "delete"](userNamed(name).id);
    },
    setDirectMessages(name, areOpen) {
      state.closedDirects[areOpen ? "delete" : "add"](userNamed(name).id);
    },
    setCommandPermissions(guild, command, permissions) {
      if (permissions.length > MAX_COMMAND_PERMISSIONS) {
        throw new Error(`a command takes ${MAX_COMMAND_PERMISSIONS} decisions at most`);
      }
      if (permissions.length === 0) {
        guild.commandPermissions.delete(command.id);
      } else {
        guild.commandPermissions.set(command.id, permissions);
      }
      changes.tell({ type: "command-permissions-changed", guild, commandId: command.id });
    },
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
    reset() {
      faults.clear();
      gateway.reset();
      restore();
      limits.reset();
      traffic.forget();
      for (const forgotten of [recorder.requests, unknownRoutes, bugs]) {
        forgotten.length = 0;
      }
    },
    async close() {
      gateway.close();
      faults.clear();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** In the form of Discord's tokens: the application's id, a time, a secret. */
function formatToken(applicationId: string, secret: string): string {
  return `${Buffer.from(applicationId).toString("base64url")}.sandbx.${secret.slice(-38)}`;
}

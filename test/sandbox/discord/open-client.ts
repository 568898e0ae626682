// A plain discord.js client at a local Discord. Anything that the client cannot handle is a bug of the sandbox.
import {
  Client,
  Events,
  GatewayIntentBits,
  Partials,
  type ClientOptions,
  type Interaction,
} from "discord.js";
import { createSandboxClock, type SandboxClock } from "../../../sandbox/clock/clock.ts";
import type { PlatformSettings } from "../../../sandbox/discord/platform.ts";
import { startCommunity, type CommunityDiscord, type CommunityOptions } from "../../../sandbox/community.ts";

export interface Scene extends AsyncDisposable {
  readonly discord: CommunityDiscord;
  readonly clock: SandboxClock;
  readonly client: Client<true>;
  /** Errors inside the client. */
  readonly errors: unknown[];
}

export interface SceneOptions {
  readonly discord?: Partial<CommunityOptions>;
  readonly client?: Partial<ClientOptions>;
  readonly commands?: readonly object[];
  readonly onInteraction?: (interaction: Interaction) => unknown;
}

/** Limits wide enough for tests of other rules; tests of the limits set their own. */
const WIDE_LIMITS: Partial<PlatformSettings> = {
  buckets: { "*": { limit: 1000, windowMs: 1000 } },
  globalPerSecond: 10_000,
  identifyWindowMs: 0,
};

/** Starts a local Discord with a still clock and wide limits. */
export async function openDiscord(options: Partial<CommunityOptions> = {}) {
  const clock = createSandboxClock({ atMs: Date.parse("2026-11-18T17:20:00Z"), mode: "still" });
  const discord = await startCommunity({
    clock,
    seed: 1,
    ...options,
    settings: { ...WIDE_LIMITS, ...options.settings },
  });
  return { clock, discord };
}

/** Logs a client in and waits until it is ready. */
export async function openScene(options: SceneOptions = {}): Promise<Scene> {
  const { clock, discord } = await openDiscord(options.discord);
  const errors: unknown[] = [];
  const client = new Client({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.DirectMessages],
    partials: [Partials.Channel],
    ...options.client,
    rest: { api: `${discord.baseUrl}/api`, ...options.client?.rest },
  });
  client.on(Events.Error, (error) => errors.push(error));
  const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
  client.on(Events.InteractionCreate, (interaction) => {
    Promise.resolve(options.onInteraction?.(interaction)).catch((error: unknown) => errors.push(error));
  });
  await client.login(discord.token);
  const readyClient = await ready;
  if (options.commands !== undefined) {
    await readyClient.rest.put(`/applications/${discord.applicationId}/commands`, { body: options.commands });
  }
  return {
    discord,
    clock,
    client: readyClient,
    errors,
    async [Symbol.asyncDispose]() {
      await client.destroy();
      await discord.close();
      clock.stop();
    },
  };
}

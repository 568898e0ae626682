// A bot for tests of the page that uses every kind of component that Discord allows, which our own bot does not. It
// logs in through discord.js.
import { Client, Events, GatewayDispatchEvents, GatewayIntentBits, type RawFile } from "discord.js";
import {
  InteractionResponseType,
  MessageFlags,
  Routes,
  type APIInteraction,
  type APIInteractionResponse,
} from "discord-api-types/v10";
import type { World } from "../../sandbox/world.ts";

export interface PageBot {
  /** Posts components V2 in a channel. */
  post(channelId: string, components: readonly object[], files?: readonly RawFile[]): Promise<void>;
  logOut(): Promise<void>;
}

/** Returns the answer to an interaction; `undefined` leaves it unanswered. */
export type Answerer = (
  interaction: APIInteraction,
) => APIInteractionResponse | undefined | Promise<APIInteractionResponse | undefined>;

/** Logs the bot in, registers the commands and answers interactions. The world runs no other bot. */
export async function logInPageBot(
  { discord }: World,
  commands: readonly object[],
  answer: Answerer,
): Promise<PageBot> {
  const client = new Client({
    intents: [GatewayIntentBits.Guilds],
    rest: { api: `${discord.baseUrl}/api` },
  });
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  client.ws.on(GatewayDispatchEvents.InteractionCreate, (interaction: APIInteraction) => {
    const answering = async () => {
      const body = await answer(interaction);
      if (body !== undefined) {
        await client.rest.post(Routes.interactionCallback(interaction.id, interaction.token), {
          body,
          auth: false,
        });
      }
    };
    void answering();
  });
  await client.login(discord.token);
  await ready;
  await client.rest.put(Routes.applicationCommands(discord.applicationId), { body: commands });
  return {
    async post(channelId, components, files = []) {
      await client.rest.post(Routes.channelMessages(channelId), {
        body: { flags: MessageFlags.IsComponentsV2, components },
        files: [...files],
      });
    },
    logOut: () => client.destroy(),
  };
}

/** An answer that only the person who acted can see. */
export function ephemeralMessage(content: string): APIInteractionResponse {
  return {
    type: InteractionResponseType.ChannelMessageWithSource,
    data: { content, flags: MessageFlags.Ephemeral },
  };
}

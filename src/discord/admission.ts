// Who may use the bot: the servers that the operator lists, and people who installed it for themselves where the operator
// lets them. A server that is not listed is told why, once, and the bot leaves it.
import { type Client, GatewayDispatchEvents, type REST, Routes } from "discord.js";
import { z } from "zod";
import type { AccessConfig } from "../core/config.ts";
import type { Log } from "../core/log.ts";
import { type Messenger, MessengerError } from "../core/ports.ts";
import { textReply } from "../core/reply.ts";
import { type Interaction, isUserInstall } from "./interaction.ts";

const LEAVING =
  "This bot serves only servers that the person who runs it has chosen. This server is not one of them, so the bot leaves it now. Signalbox is free software: anyone can run a bot of their own, and then decides where it is used.";
const GUILD_NOT_ALLOWED =
  "This bot serves only servers that the person who runs it has chosen, and this server is not one of them.";
const USER_INSTALL_OFF =
  "This bot works only in servers that have added it. The person who runs it does not let people install it for themselves.";

/** More at once, if they are also more than a quarter of all, look like a mistake in the list: none is left then. */
const MOST_LEFT = 3;

export type Admission = ReturnType<typeof createAdmission>;

export function createAdmission({ guilds, userInstall }: AccessConfig) {
  const isAllowed = (guildId: string): boolean => guilds === "*" || guilds.includes(guildId);
  return {
    isAllowed,
    /** Why an interaction is not answered; `undefined` where it is. */
    refusal(interaction: Interaction): string | undefined {
      const { guild_id: guildId } = interaction;
      if (isUserInstall(interaction)) {
        return userInstall ? undefined : USER_INSTALL_OFF;
      }
      return guildId === undefined || isAllowed(guildId) ? undefined : GUILD_NOT_ALLOWED;
    },
  };
}

const guildEvent = z.object({ id: z.string() });
const readyEvent = z.object({ guilds: z.array(guildEvent) });

/** Leaves servers that are not allowed, as the bot starts and as it is invited. */
export function watchAdmission(
  client: Client,
  {
    admission,
    rest,
    messenger,
    log,
  }: {
    readonly admission: Pick<Admission, "isAllowed">;
    readonly rest: Pick<REST, "delete">;
    readonly messenger: Pick<Messenger, "noticeChannel" | "post">;
    readonly log: Log;
  },
): void {
  /** Servers of READY, which come once more, one by one; and those that were left since. */
  const seen = new Set<string>();

  async function explain(guildId: string): Promise<void> {
    try {
      const channelId = await messenger.noticeChannel(guildId);
      if (channelId !== undefined) {
        await messenger.post(channelId, textReply(LEAVING), { nonce: guildId });
      }
    } catch (error) {
      if (!(error instanceof MessengerError)) {
        throw error;
      }
      log.info({ error, guild: guildId }, "server not told why the bot leaves");
    }
  }

  async function leave(guildId: string): Promise<void> {
    try {
      await explain(guildId);
      await rest.delete(Routes.userGuild(guildId));
      log.info({ guild: guildId }, "server left: not in ALLOWED_GUILDS");
    } catch (error) {
      // The next start tries again, and until then nobody there is answered.
      log.warn({ error, guild: guildId }, "server not left");
    }
  }

  client.ws.on(GatewayDispatchEvents.Ready, (payload: unknown) => {
    const ids = readyEvent.safeParse(payload).data?.guilds.map(({ id }) => id) ?? [];
    ids.forEach((id) => seen.add(id));
    const strangers = ids.filter((id) => !admission.isAllowed(id));
    if (strangers.length > MOST_LEFT && strangers.length > ids.length / 4) {
      log.error(
        { servers: strangers.length, of: ids.length },
        "many servers not in ALLOWED_GUILDS: the bot answers nobody there, and leaves none of them",
      );
      return;
    }
    strangers.forEach((id) => void leave(id));
  });
  client.ws.on(GatewayDispatchEvents.GuildCreate, (payload: unknown) => {
    const { data } = guildEvent.safeParse(payload);
    if (data !== undefined && !seen.has(data.id)) {
      seen.add(data.id);
      if (!admission.isAllowed(data.id)) {
        void leave(data.id);
      }
    }
  });
  client.ws.on(GatewayDispatchEvents.GuildDelete, (payload: unknown) => {
    const { data } = guildEvent.safeParse(payload);
    seen.delete(data?.id ?? "");
  });
}

// Who may use the bot: the servers that the operator lists and, if the operator allows it, people who installed it for
// themselves. The bot posts one notice in a server that is not listed, and leaves it.
import { type Client, GatewayDispatchEvents, type REST, Routes } from "discord.js";
import { z } from "zod";
import type { AccessConfig } from "../core/config.ts";
import { includesGuild, isUnlikelyLoss } from "../core/guilds.ts";
import type { Log } from "../core/log.ts";
import { type Messenger, MessengerError } from "../core/ports.ts";
import { textReply } from "../core/reply.ts";
import { type Interaction, isUserInstall } from "./interaction.ts";

const LEAVING =
  "The person who runs this bot has not allowed it in this server, so it is leaving now. Signalbox is free software: you can run a bot of your own and decide where people may use it.";
const GUILD_NOT_ALLOWED = "The person who runs this bot has not allowed it in this server.";
const USER_INSTALL_OFF =
  "This bot works only in servers that have added it. The person who runs it does not allow people to install it for themselves.";

export type Admission = ReturnType<typeof createAdmission>;

export function createAdmission({ guilds, userInstall }: AccessConfig) {
  const isAllowed = (guildId: string): boolean => includesGuild(guilds, guildId);
  return {
    isAllowed,
    /** The reason to refuse an interaction; `undefined` if it is allowed. */
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

/** Leaves servers that are not allowed, at start and when the bot is invited to one. */
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
  /** Servers already handled: those of READY, for each of which Discord also sends GUILD_CREATE, and those that joined since. */
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
      log.info({ error, guild: guildId }, "leaving notice not delivered");
    }
  }

  async function leave(guildId: string): Promise<void> {
    try {
      await explain(guildId);
      await rest.delete(Routes.userGuild(guildId));
      log.info({ guild: guildId }, "server left: not in ALLOWED_GUILDS");
    } catch (error) {
      // The next start tries again; until then the bot refuses every interaction there.
      log.warn({ error, guild: guildId }, "server not left");
    }
  }

  client.ws.on(GatewayDispatchEvents.Ready, (payload: unknown) => {
    const ids = readyEvent.safeParse(payload).data?.guilds.map(({ id }) => id) ?? [];
    ids.forEach((id) => seen.add(id));
    const strangers = ids.filter((id) => !admission.isAllowed(id));
    if (isUnlikelyLoss(strangers.length, ids.length)) {
      log.error(
        { servers: strangers.length, of: ids.length },
        "leaving suspended: many servers not in ALLOWED_GUILDS",
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

// Decides who may use the bot: the servers that the operator lists and, if the operator allows it, people who installed
// it for themselves. In a server that is not listed, the bot posts a notice and leaves; in any other that it joins, it
// says hello. Also finds the people who run the bot.
import { type REST, Routes } from "discord.js";
import type { AccessConfig } from "../core/config.ts";
import { includesGuild, isUnlikelyLoss } from "../core/guilds.ts";
import type { Log } from "../core/log.ts";
import type { BlockedGuilds, Messenger } from "../core/ports.ts";
import { textReply } from "../core/reply.ts";
import type { OffersCommand } from "./directory.ts";
import { isApiError } from "./interaction-api.ts";
import { type Interaction, isUserInstall } from "./interaction.ts";
import { toMessengerError } from "./messenger-requests.ts";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";

const LEAVING =
  "The person who runs this bot hasn't allowed it in this server, so it's leaving now. Signalbox is free software: you can run your own and decide who uses it.";
const GUILD_NOT_ALLOWED =
  "The person who runs this bot hasn't allowed it in this server. Ask them to allow it here, or use it in a server that they've allowed.";
const USER_INSTALL_OFF =
  "This bot only works in servers that have added it. The person who runs it doesn't let people install it for themselves.";

function greeting(offers: OffersCommand): string {
  const sentences = [
    "Hello, I'm Signalbox.",
    offers("setup") && "`/setup` helps the people who manage this server to set me up.",
    offers("help") && "`/help` shows everyone what I can do here.",
  ];
  return sentences.filter(Boolean).join(" ");
}

const UNKNOWN_GUILD = 10_004;

export type GuildLeaver = ReturnType<typeof createGuildLeaver>;
export type Admission = ReturnType<typeof createAdmission>;

export function createAdmission({ guilds, userInstall }: AccessConfig, blocked: Pick<BlockedGuilds, "has">) {
  const isAllowed = (guildId: string): boolean => includesGuild(guilds, guildId) && !blocked.has(guildId);
  return {
    isAllowed,
    /** Why an interaction is refused, as a sentence for the person; `undefined` if it is allowed. */
    refusal(interaction: Interaction): string | undefined {
      const { guild_id: guildId } = interaction;
      if (isUserInstall(interaction)) {
        return userInstall ? undefined : USER_INSTALL_OFF;
      }
      return guildId === undefined || isAllowed(guildId) ? undefined : GUILD_NOT_ALLOWED;
    },
  };
}

/** Leaves servers. `watch-guilds.ts` reports which servers the bot is in and which it joins. */
export function createGuildLeaver(deps: {
  readonly admission: Pick<Admission, "isAllowed">;
  readonly blocked: Pick<BlockedGuilds, "load">;
  readonly rest: Pick<REST, "delete">;
  readonly messenger: Pick<Messenger, "noticeChannel" | "post">;
  readonly offers: OffersCommand;
  readonly log: Log;
}) {
  const { admission, blocked, rest, messenger, offers, log } = deps;

  /** Posts in the server's system channel, if it has one. */
  async function notify(guildId: string, text: string, nonce: string): Promise<void> {
    try {
      const channelId = await messenger.noticeChannel(guildId);
      if (channelId !== undefined) {
        await messenger.post(channelId, textReply(text), { nonce });
      }
    } catch (error) {
      log.warn({ error, guild: guildId }, "server notice not delivered");
    }
  }

  async function leave(guildId: string): Promise<void> {
    try {
      await rest.delete(Routes.userGuild(guildId));
    } catch (error) {
      if (!isApiError(error, UNKNOWN_GUILD)) {
        throw toMessengerError(error, "leave a server", false);
      }
    }
  }

  async function leaveWithNotice(guildId: string): Promise<void> {
    try {
      await notify(guildId, LEAVING, guildId);
      await leave(guildId);
      log.info({ guild: guildId }, "server left: not allowed");
    } catch (error) {
      // The next start retries this. Until then, the bot refuses every interaction in that server.
      log.warn({ error, guild: guildId }, "server not left");
    }
  }

  return {
    leave,
    leaveWithNotice,
    /** `guildIds`: all servers of this process. If too many are not allowed, it leaves none: the list may be wrong. */
    checkAll(guildIds: readonly string[]): void {
      const strangers = guildIds.filter((id) => !admission.isAllowed(id));
      if (isUnlikelyLoss(strangers.length, guildIds.length)) {
        log.error(
          { servers: strangers.length, of: guildIds.length },
          "leaving suspended: many servers not in ALLOWED_GUILDS",
        );
        return;
      }
      strangers.forEach((id) => void leaveWithNotice(id));
    },
    /** Greets a server that the bot has just joined, or leaves it. */
    async checkJoined(guildId: string): Promise<void> {
      await blocked.load().catch((error: unknown) => {
        log.warn({ error, guild: guildId }, "blocked servers not read");
      });
      await (admission.isAllowed(guildId)
        ? notify(guildId, greeting(offers), `h:${guildId}`)
        : leaveWithNotice(guildId));
    },
  };
}

// The people who run the bot: the owner of the Discord application, or the members of its team.
// https://discord.com/developers/docs/resources/application#get-current-application

/** Somebody who has left the team loses access within a minute. */
const REMEMBER_MS = 60_000;

/** The membership state of somebody who has accepted the invitation to the team. */
const ACCEPTED = 2;

const user = z.object({ id: z.string() });
const applicationSchema = z.object({
  owner: user.nullish(),
  team: z
    .object({
      members: z.array(z.object({ membership_state: z.number(), role: z.string().optional(), user })),
    })
    .nullish(),
});

/** Returns a function that returns their ids. It throws what discord.js throws if Discord does not answer. */
export function createOwnerIds(rest: Pick<REST, "get">, clock: Pick<Clock, "elapsed">) {
  let known: { readonly ids: Promise<ReadonlySet<string>>; readonly atMs: number } | undefined;

  async function read(): Promise<ReadonlySet<string>> {
    try {
      const { owner, team } = applicationSchema.parse(await rest.get(Routes.currentApplication()));
      // The owner of a team's application is the team itself, not a person.
      const members = team?.members.filter(
        ({ membership_state: state, role }) => state === ACCEPTED && role !== "read_only",
      );
      return new Set(members?.map((member) => member.user.id) ?? (owner ? [owner.id] : []));
    } catch (error) {
      known = undefined;
      throw error;
    }
  }

  return (): Promise<ReadonlySet<string>> => {
    if (known === undefined || clock.elapsed() - known.atMs >= REMEMBER_MS) {
      known = { ids: read(), atMs: clock.elapsed() };
    }
    return known.ids;
  };
}

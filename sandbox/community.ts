// A small community for trying out Signalbox: Ada owns the server, Grace moderates it, Alan and Mary are members.
import { PermissionFlagsBits } from "discord-api-types/v10";
import { EVERYONE_PERMISSIONS } from "./discord/permissions.ts";
import { startLocalDiscord, type LocalDiscordOptions } from "./discord/server.ts";

export type CommunityDiscord = Awaited<ReturnType<typeof startCommunity>>;

export interface CommunityOptions extends Omit<LocalDiscordOptions, "application"> {
  /** When the bot's application was created, ISO 8601; determines its id. Default 1 June 2020. */
  readonly applicationMadeAt?: string | undefined;
  /** Bits of the privileged intents granted to the bot in the portal. Default none. */
  readonly privilegedIntents?: number;
}

const NAME = "Signalbox";
/** When the server was created: 1 January 2021. The members' accounts are one to four days older. */
const MADE_AT_MS = 1_609_459_200_000;
const DAY_MS = 86_400_000;

const { ViewChannel, SendMessages, ManageMessages, ManageGuild, ModerateMembers, MentionEveryone } =
  PermissionFlagsBits;

/** Starts a local Discord on 127.0.0.1 with the community in it. */
export async function startCommunity({
  applicationMadeAt,
  privilegedIntents = 0,
  ...options
}: CommunityOptions) {
  const application = { name: NAME, madeAt: applicationMadeAt, privilegedIntents };
  const discord = await startLocalDiscord({ ...options, application });
  const memberIds = ["Ada", "Grace", "Alan", "Mary"].map(
    (name, index) => discord.addUser(name, MADE_AT_MS - (index + 1) * DAY_MS).id,
  );
  const guild = discord.addGuild({ name: "Platform Zero", memberIds, madeAtMs: MADE_AT_MS });
  const moderatorRole = discord.addRole(guild, {
    name: "Moderator",
    permissions: ManageMessages | ManageGuild | ModerateMembers | MentionEveryone,
    memberIds: [discord.member("Grace").id],
  });
  const botRole = discord.addRole(guild, {
    name: NAME,
    permissions: EVERYONE_PERMISSIONS | ManageMessages,
    memberIds: [discord.applicationId],
    botId: discord.applicationId,
  });
  /** Overwrites that give a permission to moderators and the bot only. */
  const onlyModerators = (permission: bigint) => [
    { id: guild.id, kind: 0 as const, allow: 0n, deny: permission },
    { id: moderatorRole, kind: 0 as const, allow: permission, deny: 0n },
    { id: botRole, kind: 0 as const, allow: permission, deny: 0n },
  ];
  const channels = {
    general: discord.addChannel(guild, "general"),
    trains: discord.addChannel(guild, "trains"),
    /** An announcement channel, in which ordinary members cannot write. */
    news: discord.addChannel(guild, "news", 5, onlyModerators(SendMessages)),
    staff: discord.addChannel(guild, "staff", 0, onlyModerators(ViewChannel)),
  };
  guild.systemChannelId = channels.general.id;
  return Object.assign(discord, { community: { guild, channels } });
}

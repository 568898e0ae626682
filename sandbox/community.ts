// The community in which Signalbox is tried out: Ada owns its server, Grace moderates, Alan and Mary are members.
import { PermissionFlagsBits } from "discord-api-types/v10";
import type { Channel } from "./discord/entities.ts";
import type { SeedPlan } from "./discord/seed.ts";
import { startLocalDiscord, type LocalDiscordOptions } from "./discord/server.ts";

/** A local Discord with this community in it. */
export type CommunityDiscord = Awaited<ReturnType<typeof startCommunity>>;

export interface CommunityOptions extends Omit<LocalDiscordOptions, "application" | "members" | "servers"> {
  /** When the bot's application was made, ISO 8601: its id follows from it. Default 1 June 2020. */
  readonly applicationMadeAt?: string | undefined;
  /** Bits of privileged intents that the portal has granted. Default none. */
  readonly privilegedIntents?: number;
}

const NAME = "Signalbox";
const MEMBERS = ["Ada", "Grace", "Alan", "Mary"];

const { ViewChannel, SendMessages, ManageMessages, ManageGuild, ModerateMembers, MentionEveryone } =
  PermissionFlagsBits;

/** Only moderators and the bot may. */
const onlyModerators = (permission: bigint) => [
  { role: "@everyone", deny: permission },
  { role: "Moderator", allow: permission },
  { role: NAME, allow: permission },
];

const COMMUNITY: SeedPlan = {
  members: MEMBERS,
  servers: [
    {
      name: "Platform Zero",
      members: MEMBERS,
      roles: [
        {
          name: "Moderator",
          permissions: ManageMessages | ManageGuild | ModerateMembers | MentionEveryone,
          members: ["Grace"],
        },
      ],
      botPermissions: ManageMessages,
      channels: [
        { name: "general" },
        { name: "trains" },
        { name: "news", kind: 5, overwrites: onlyModerators(SendMessages) },
        { name: "staff", overwrites: onlyModerators(ViewChannel) },
      ],
      systemChannel: "general",
    },
  ],
};

/** Starts a local Discord on 127.0.0.1 with the community in it. */
export async function startCommunity({
  applicationMadeAt,
  privilegedIntents = 0,
  ...options
}: CommunityOptions) {
  const application = { name: NAME, madeAt: applicationMadeAt, privilegedIntents };
  const discord = await startLocalDiscord({ ...COMMUNITY, ...options, application });
  const [guild] = discord.state.guilds.values();
  if (guild === undefined) {
    throw new Error("the community has no server");
  }
  const channel = (name: string): Channel => {
    const found = [...guild.channels.values()].find((one) => one.name === name);
    if (found === undefined) {
      throw new Error(`${guild.name} has no channel ${name}`);
    }
    return found;
  };
  const channels = {
    general: channel("general"),
    trains: channel("trains"),
    /** An announcement channel. */
    news: channel("news"),
    /** Only moderators see it. */
    staff: channel("staff"),
  };
  return Object.assign(discord, { community: { guild, channels } });
}

// Servers beside the sandbox's own, which the bot joins and leaves.
import type { Channel, Guild } from "../../sandbox/discord/entities.ts";
import type { World } from "../../sandbox/world.ts";
import { openCheckedWorld } from "./checked-world.ts";

/** Returns the id of the sandbox's own server, which is the same in every world. */
export async function homeServerId(): Promise<string> {
  await using world = await openCheckedWorld({ startsBot: false });
  return world.guild.id;
}

/** Adds a server of Ada's with the bot and with a channel for system messages. */
export function addServer(world: World, name: string): { readonly guild: Guild; readonly channel: Channel } {
  const guild = world.discord.addGuild({ name, memberIds: [world.member("Ada").id] });
  const channel = world.discord.addChannel(guild, "general");
  guild.systemChannelId = channel.id;
  return { guild, channel };
}

/** Whether the bot is in a server. */
export const hasBot = ({ discord }: World, guild: Guild): boolean => guild.members.has(discord.applicationId);

/** Invites the bot into a server that has removed it. */
export function inviteAgain({ discord, clock }: World, guild: Guild): void {
  const userId = discord.applicationId;
  guild.members.set(userId, { userId, roleIds: [], joinedAtMs: clock.now() });
  discord.changes.emit({ type: "guild-joined", guild });
}

// What the author of a message may do there. Interactions tell that themselves, messages tell roles only.
import type { Client } from "discord.js";
import { rightsInChannel } from "../guild-rights.ts";
import type { SentMessage } from "./message-event.ts";

/** Permissions as Discord writes them, e.g. `"2048"`; none where the server is not, or not yet, known. */
export function findAuthorRights(client: Client, sent: SentMessage): string {
  const guild = client.guilds.cache.get(sent.guild_id ?? "");
  if (!guild) {
    return "0";
  }
  const channel = guild.channels.cache.get(sent.channel_id);
  // A thread has no exceptions of its own.
  const ruling = channel?.isThread() ? channel.parent : channel;
  const overwrites =
    ruling && "permissionOverwrites" in ruling ? [...ruling.permissionOverwrites.cache.values()] : [];
  const rights = rightsInChannel(
    {
      guild: {
        id: guild.id,
        owner_id: guild.ownerId,
        roles: guild.roles.cache.map(({ id, permissions }) => ({ id, permissions: permissions.bitfield })),
      },
      userId: sent.author.id,
      member: { roles: [...(sent.member?.roles ?? [])] },
    },
    overwrites.map(({ id, allow, deny }) => ({ id, allow: allow.bitfield, deny: deny.bitfield })),
  );
  return String(rights.bitfield);
}

// The permissions that the bot needs in a server. The invite link asks for them, and the start checks them.
import { type Client, PermissionsBitField, ShardClientUtil } from "discord.js";
import type { Log } from "../core/log.ts";
import { plural } from "../core/text.ts";
import { hasAllShards } from "./connection.ts";

/** The permissions to answer, to show pictures and to keep a message of the bot's own in a channel. */
const NEEDED = [
  "ViewChannel",
  "SendMessages",
  "SendMessagesInThreads",
  "EmbedLinks",
  "AttachFiles",
  "ReadMessageHistory",
] as const;

interface Report {
  readonly log: Log;
  readonly announce: (line: string) => void;
}

export function formatInviteUrl(applicationId: string): string {
  const url = new URL("https://discord.com/oauth2/authorize");
  url.searchParams.set("client_id", applicationId);
  url.searchParams.set("scope", "bot applications.commands");
  url.searchParams.set("permissions", String(PermissionsBitField.resolve(NEEDED)));
  return url.href;
}

/** A permission's name as Discord's settings show it, e.g. `Send Messages in Threads`. */
export function formatPermission(bit: string): string {
  return bit.replace(/(?<=[a-z])(?=[A-Z])/g, " ").replace(" In ", " in ");
}

export function reportInvitation(client: Client<true>, { log, announce }: Report): void {
  const inviteUrl = formatInviteUrl(client.application.id);
  log.info({ inviteUrl, guilds: client.guilds.cache.size }, "bot ready");
  announce(`${client.user.username} is ready ${formatScope(client)}. Invite: ${inviteUrl}`);
}

/** A process in a fleet knows only the servers of its shards, and not yet those of one that it has just claimed. */
function formatScope(client: Client): string {
  if (hasAllShards(client)) {
    return `in ${plural(client.guilds.cache.size, "server")}`;
  }
  const ids = [...client.ws.shards.keys()].toSorted((one, other) => one - other);
  return ids.length === 0
    ? "and waits for shards: other processes run all of them"
    : `with ${ids.length === 1 ? "shard" : "shards"} ${ids.join(", ")} of ${client.options.shardCount}`;
}

export function reportPermissions(client: Client, shard: number, { log, announce }: Report): void {
  const { shardCount = 1 } = client.options;
  const isOfShard = (id: string): boolean => ShardClientUtil.shardIdForGuildId(id, shardCount) === shard;
  for (const guild of client.guilds.cache.filter(({ id }) => isOfShard(id)).values()) {
    const missing = guild.members.me?.permissions.missing(NEEDED) ?? [];
    if (missing.length > 0) {
      log.warn({ guild: guild.id, missing }, "permissions missing");
      const names = missing.map(formatPermission).join(", ");
      announce(`In "${guild.name}" I lack: ${names}. Someone who manages it can give them to my role.`);
    }
  }
}

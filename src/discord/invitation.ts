// The permissions the bot needs in a server: the invite link asks for them, and the start checks them.
import { type Client, PermissionsBitField } from "discord.js";
import type { Log } from "../core/log.ts";

/** Enough to answer, to show pictures and to keep a message of its own in a channel. */
const NEEDED = [
  "ViewChannel",
  "SendMessages",
  "SendMessagesInThreads",
  "EmbedLinks",
  "AttachFiles",
  "ReadMessageHistory",
] as const;

export function formatInviteUrl(applicationId: string): string {
  const url = new URL("https://discord.com/oauth2/authorize");
  url.searchParams.set("client_id", applicationId);
  url.searchParams.set("scope", "bot applications.commands");
  url.searchParams.set("permissions", String(PermissionsBitField.resolve(NEEDED)));
  return url.href;
}

/** e.g. `Send Messages in Threads`, as Discord's settings have it. */
function formatPermission(bit: string): string {
  return bit.replace(/(?<=[a-z])(?=[A-Z])/g, " ").replace(" In ", " in ");
}

/** Logs, and gives to `announce` as lines for a person, how to invite the bot and what it lacks where it is. */
export function reportInvitation(
  client: Client<true>,
  { log, announce }: { readonly log: Log; readonly announce: (line: string) => void },
): void {
  const inviteUrl = formatInviteUrl(client.application.id);
  log.info({ inviteUrl, guilds: client.guilds.cache.size }, "bot ready");
  const servers = client.guilds.cache.size === 1 ? "1 server" : `${client.guilds.cache.size} servers`;
  announce(`${client.user.username} is ready in ${servers}. Invite: ${inviteUrl}`);
  for (const guild of client.guilds.cache.values()) {
    const missing = guild.members.me?.permissions.missing(NEEDED) ?? [];
    if (missing.length > 0) {
      log.warn({ guild: guild.id, missing }, "permissions missing");
      const names = missing.map(formatPermission).join(", ");
      announce(`In "${guild.name}" I lack: ${names}. Someone who manages it can give them to my role.`);
    }
  }
}

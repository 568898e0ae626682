// A thread for tests, started by the bot.
import type { ThreadState } from "../../sandbox/discord/entities.ts";
import type { LocalDiscord } from "../../sandbox/discord/server.ts";

/** Starts a thread "delays" below a channel. */
export async function startThread(
  discord: LocalDiscord,
  channelId: string,
): Promise<{ readonly id: string; readonly state: ThreadState }> {
  const response = await fetch(`${discord.baseUrl}/api/v10/channels/${channelId}/threads`, {
    method: "POST",
    headers: { authorization: `Bot ${discord.token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "delays", type: 11 }),
  });
  const { id } = Object(await response.json());
  const channel = discord.state.channels.get(String(id));
  if (channel?.thread === undefined) {
    throw new Error("there is no thread");
  }
  return { id: channel.id, state: channel.thread };
}

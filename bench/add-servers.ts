import type { World } from "../sandbox/world.ts";

const CHANNELS_PER_SERVER = 20;
/** A server's shard depends on the millisecond in which it was created. */
const FIRST_MADE_AT_MS = Date.UTC(2024, 0, 1);

export function addServers({ discord }: World, servers: number): void {
  const { id } = discord.member("Ada");
  for (let index = 0; index < servers; index += 1) {
    const guild = discord.addGuild({
      name: `Server ${index}`,
      memberIds: [id],
      madeAtMs: FIRST_MADE_AT_MS + index,
    });
    for (let number = 0; number < CHANNELS_PER_SERVER; number += 1) {
      discord.addChannel(guild, `channel-${number}`);
    }
  }
}

/** Servers that a setting names, by their ids; `*` is every server. */
export type GuildSelection = "*" | readonly string[];

export function includesGuild(selection: GuildSelection, guildId: string): boolean {
  return selection === "*" || selection.includes(guildId);
}

const UNLIKELY_COUNT = 3;
const UNLIKELY_SHARE = 1 / 4;

/** Whether so many of all servers would go at once that a mistake is likely: more than three, and more than a quarter. */
export function isUnlikelyLoss(count: number, of: number): boolean {
  return count > UNLIKELY_COUNT && count > of * UNLIKELY_SHARE;
}

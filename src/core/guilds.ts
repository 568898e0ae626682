/** The servers that a setting lists, by id; `*` is every server. */
export type GuildSelection = "*" | readonly string[];

export function includesGuild(selection: GuildSelection, guildId: string): boolean {
  return selection === "*" || selection.includes(guildId);
}

const UNLIKELY_COUNT = 3;
const UNLIKELY_SHARE = 1 / 4;

/** Whether losing `count` of `of` servers at once is probably a mistake: more than three, and more than a quarter. */
export function isUnlikelyLoss(count: number, of: number): boolean {
  return count > UNLIKELY_COUNT && count > of * UNLIKELY_SHARE;
}

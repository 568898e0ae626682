/** Where the bot's trains come from. The stand-ins of all of them run in every world, over the same trains. */
export const SOURCES = ["transport", "rail-data"] as const;

export type SourceName = (typeof SOURCES)[number];

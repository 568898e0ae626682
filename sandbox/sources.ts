/**
 * Where the bot's trains come from. The stand-ins of all of them run in every world: the first two over the same trains, the
 * third for London.
 */
export const SOURCES = ["transport", "rail-data", "tfl"] as const;

export type SourceName = (typeof SOURCES)[number];

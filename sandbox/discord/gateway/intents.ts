// Gateway intents, by Discord's bits.

export const INTENTS = {
  guilds: 1 << 0,
  guildMembers: 1 << 1,
  guildPresences: 1 << 8,
  guildMessages: 1 << 9,
  directMessages: 1 << 12,
  messageContent: 1 << 15,
} as const;

/** Bits that exist: 0–16, 20, 21, 24, 25. */
export const KNOWN_INTENTS = 0x1ffff | (1 << 20) | (1 << 21) | (1 << 24) | (1 << 25);

/** Bits that must be granted in the portal. */
export const PRIVILEGED_INTENTS = INTENTS.guildMembers | INTENTS.guildPresences | INTENTS.messageContent;

// Discord's numbers for option types, shared by the actors, the rules and the page; this file imports nothing.
// https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-option-type

export const OPTION_TYPES = {
  subcommand: 1,
  group: 2,
  string: 3,
  integer: 4,
  boolean: 5,
  user: 6,
  channel: 7,
  role: 8,
  mentionable: 9,
  number: 10,
  attachment: 11,
} as const;

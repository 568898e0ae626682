// Discord's numbers for the types of options, for the actors, the rules and the page alike: it imports nothing.
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

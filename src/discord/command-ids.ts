// Discord's ids of the registered commands, known once they were compared with what is registered.

/** By key of kind and name. Filled at start. */
export type CommandIds = ReadonlyMap<string, string>;

/** Key of a slash command. */
export function slashKey(name: string): string {
  return `1:${name}`;
}

/** Key of a message menu. */
export function menuKey(name: string): string {
  return `3:${name}`;
}

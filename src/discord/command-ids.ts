// Discord's ids of the registered commands: known once they were compared with what is registered, and from every
// use of a command, because the process that registers them may be another one, and later.

/** By {@link commandKey}. */
export type CommandIds = ReadonlyMap<string, string>;

/** Discord's types of commands. */
export const SLASH = 1;
export const MESSAGE_MENU = 3;

/** Key of a command: names are unique among those of one type. */
export function commandKey(type: number, name: string): string {
  return `${type}:${name}`;
}

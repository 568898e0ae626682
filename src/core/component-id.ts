// `command:action:version:args`, e.g. `departures:refresh:1:s=YRK&n=8`: all that the bot needs after a restart.
import { randomBytes } from "node:crypto";

/** Discord's limit for `custom_id`, in characters. */
export const COMPONENT_ID_LIMIT = 100;

export type WrittenArgs = Readonly<Record<string, string>>;

export interface ComponentTarget {
  /** File name of the command, or `folder/file` for a subcommand. */
  readonly command: string;
  /** Key in the command's `buttons`, `selects` or `modals`. */
  readonly action: string;
  /** Small values only: the whole id must fit {@link COMPONENT_ID_LIMIT}. */
  readonly args?: WrittenArgs;
}

export type ParsedTarget = Required<ComponentTarget>;

const VERSION = "1";

/** Formats a target as a `custom_id`. Throws a RangeError if it is too long, which is a bug in the caller. */
export function formatComponentId(target: ComponentTarget): string {
  const id = write(target);
  if (id.length > COMPONENT_ID_LIMIT) {
    throw new RangeError(`component id of ${target.command}:${target.action} has ${id.length} characters`);
  }
  return id;
}

export function fitsId(target: ComponentTarget): boolean {
  return write(target).length <= COMPONENT_ID_LIMIT;
}

function write({ command, action, args = {} }: ComponentTarget): string {
  return [command, action, VERSION, new URLSearchParams(args).toString()].join(":");
}

/** `undefined` for another format or version. */
export function parseComponentId(id: string): ParsedTarget | undefined {
  const [command, action, version, ...rest] = id.split(":");
  if (!command || !action || version !== VERSION) {
    return undefined;
  }
  return { command, action, args: Object.fromEntries(new URLSearchParams(rest.join(":"))) };
}

/** Parses an integer in base 36. Ids have more digits than a `number` can represent. */
export function parseBase36(text: string): bigint {
  return Array.from(text).reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
}

/** How many characters a text takes in an id. Letters outside ASCII take three to twelve. */
export function sizeInId(text: string): number {
  return new URLSearchParams({ x: text }).toString().length - "x=".length;
}

/** The longest beginning of a text that takes at most `limit` characters of an id. */
export function cutForId(text: string, limit: number): string {
  const letters = Array.from(text);
  while (letters.length > 0 && sizeInId(letters.join("")) > limit) {
    letters.pop();
  }
  return letters.join("");
}

// Ids of boards, watches and publications: short enough for a component's id, and for a person to quote.

/** 32 characters that are not mistaken for each other. 256 is a multiple of 32, so all are equally likely. */
const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";
const SHORT_LENGTH = 8;

export function createShortId(): string {
  return Array.from(randomBytes(SHORT_LENGTH), (byte) => LETTERS[byte % LETTERS.length] ?? "").join("");
}

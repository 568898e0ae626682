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
  const id = format(target);
  if (id.length > COMPONENT_ID_LIMIT) {
    throw new RangeError(`component id of ${target.command}:${target.action} has ${id.length} characters`);
  }
  return id;
}

export function fitsId(target: ComponentTarget): boolean {
  return format(target).length <= COMPONENT_ID_LIMIT;
}

function format({ command, action, args = {} }: ComponentTarget): string {
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

// Encodes and decodes the arguments of buttons, menus and forms. Each set of arguments is declared once. An id stays on a
// message for years, so `read` must accept every form that `write` has ever produced.

export interface ArgsCodec<A> {
  encode(args: Given<A>): WrittenArgs;
  /** `undefined` if `encode` cannot have written this. Arguments with unknown names are ignored. */
  decode(written: WrittenArgs): A | undefined;
}

export type ArgsOf<C> = C extends ArgsCodec<infer A> ? A : never;

/** The arguments, in which those that may be `undefined` are optional. */
type Given<A> = {
  readonly [K in keyof A as undefined extends A[K] ? never : K]: A[K];
} & { readonly [K in keyof A as undefined extends A[K] ? K : never]?: A[K] };

export interface Arg<T> {
  write(value: T): string;
  /** `undefined` if the text is invalid. */
  read(text: string): T | undefined;
  /** The value if the id does not contain one. Without a default, the value is required. */
  readonly default?: { readonly value: T };
}

type Fields = Readonly<Record<string, Arg<unknown> | readonly [key: string, arg: Arg<unknown>]>>;
type ValueOf<F> = F extends readonly [string, infer G]
  ? ValueOf<G>
  : F extends { write(value: infer T): string }
    ? T
    : never;

/** Declares arguments, in the order in which ids contain them. `key` is a shorter name for use in the id. */
export function defineArgs<const F extends Fields>(
  fields: F,
): ArgsCodec<{ readonly [K in keyof F]: ValueOf<F[K]> }> {
  type Args = { readonly [K in keyof F]: ValueOf<F[K]> };
  const entries = Object.entries(fields).map(([name, field]) => {
    const [key, arg] = "write" in field ? [name, field] : field;
    return { name, key, arg };
  });
  return {
    encode(values) {
      const given: Readonly<Record<string, unknown>> = values;
      return Object.fromEntries(
        entries.flatMap(({ name, key, arg }) =>
          arg.default !== undefined && arg.default.value === given[name]
            ? []
            : [[key, arg.write(given[name])]],
        ),
      );
    },
    decode(written) {
      const read: Record<string, unknown> = {};
      for (const { name, key, arg } of entries) {
        const text = written[key];
        const value = text === undefined ? arg.default?.value : arg.read(text);
        if (value === undefined && (text !== undefined || arg.default === undefined)) {
          return undefined;
        }
        read[name] = value;
      }
      // Each field was read by its own declaration.
      return read as Args;
    },
  };
}

/** A codec for arguments that are stored in another form. `read` returns `undefined` if they are invalid. */
export function transformArgs<A, B>(
  codec: ArgsCodec<A>,
  { write, read }: { readonly write: (args: B) => Given<A>; readonly read: (args: A) => B | undefined },
): ArgsCodec<B> {
  return {
    // A missing key reads as `undefined`.
    encode: (given) => codec.encode(write(given as B)),
    decode(written) {
      const decoded = codec.decode(written);
      return decoded && read(decoded);
    },
  };
}

export function optional<T>(arg: Arg<T>): Arg<T | undefined> {
  return withDefault<T, undefined>(arg, undefined);
}

/** A value that is omitted from the id if it equals the default. */
export function withDefault<T, const U>(arg: Arg<T>, value: U): Arg<T | U> {
  // The default is never written.
  return { ...(arg as Arg<T | U>), default: { value } };
}

export function textLike(pattern: RegExp): Arg<string> {
  return { write: String, read: (written) => (pattern.test(written) ? written : undefined) };
}

/** Text of at most `most` UTF-16 units. */
export function anyText(most: number): Arg<string> {
  return textLike(new RegExp(`^[^]{1,${most}}$`));
}

export function integer(min: number, max: number): Arg<number> {
  return {
    write: String,
    read(written) {
      const value = Number(written);
      return Number.isInteger(value) && value >= min && value <= max ? value : undefined;
    },
  };
}

export const flag: Arg<boolean> = withDefault(
  { write: () => "1", read: (written) => written === "1" || undefined },
  false,
);

/** One of several values; `words` contains the letter or word that stands for each in the id. */
export function oneOf<const V extends string>(words: Readonly<Record<V, string>>): Arg<V> {
  const values = Object.entries<string>(words);
  return {
    write: (value) => words[value],
    // The keys of `words`.
    read: (written) => values.find(([, word]) => word === written)?.[0] as V | undefined,
  };
}

/** A number of at most this many digits of base 36, in steps of `unit`. */
export function base36(digits: number, unit = 1): Arg<number> {
  return {
    write: (value) => Math.floor(value / unit).toString(36),
    read: (written) =>
      written.length <= digits && /^[0-9a-z]+$/.test(written)
        ? Number.parseInt(written, 36) * unit
        : undefined,
  };
}

const minutes = base36(6, 60_000);

/** A time to the minute, in base 36: five digits until the year 2084. */
export const minute: Arg<Temporal.Instant> = {
  write: (at) => minutes.write(at.epochMilliseconds),
  read(written) {
    const ms = minutes.read(written);
    return ms === undefined ? undefined : Temporal.Instant.fromEpochMilliseconds(ms);
  },
};

export const crs = textLike(/^[A-Z]{3}$/);

/** An id of `createShortId`. */
export const shortId = textLike(/^[0-9a-z]{8}$/);

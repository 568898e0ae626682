// The environment variables that operators set, with schemas for their values. `.env.example` explains each of them.
// Each error message is the end of a sentence that begins with the variable's name. It never repeats the value, which
// might be a secret in the wrong variable.
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { z } from "zod";
import type { GuildSelection } from "./guilds.ts";
import { LOG_LEVELS } from "./log.ts";

/** A value that `read` parses; `undefined` from `read` rejects the text. */
function value<T>(read: (text: string) => T | undefined, problem: string) {
  return z.string().transform((text, context): T => {
    const result = read(text);
    if (result === undefined) {
      context.addIssue({ code: "custom", message: problem });
      return z.NEVER;
    }
    return result;
  });
}

function wholeNumber(min: number, max: number, problem: string) {
  return value((text) => readWhole(text, min, max), problem);
}

/** A comma-separated list of at least one item, each parsed by `readItem`. */
function list<T>(readItem: (item: string) => T | undefined, problem: string) {
  return value((text): readonly T[] | undefined => {
    const items = listItems(text).map(readItem);
    return items.length > 0 && items.every((item) => item !== undefined) ? items : undefined;
  }, problem);
}

/** The database if DATABASE_URL is not set. */
export const DEFAULT_FILE = "data/signalbox.db";

/** A key or a token: one word of printable ASCII, because it is sent in headers. */
const credential = z
  .string()
  .regex(
    /^[\x21-\x7e]+$/,
    "contains a space or another character that no key has. Copy it again, without quotes or a prefix.",
  );

/** The base URL of a service: https, or http on this machine. It may have a path; slashes at its end are removed. */
const baseUrl = value(
  (text) => URL.parse(text) ?? undefined,
  "is not a web address. Write it in full, e.g. https://api.example.org.",
)
  .refine(({ protocol }) => ["https:", "http:"].includes(protocol), {
    error: "is not a web address. Write it in full, e.g. https://api.example.org.",
    abort: true,
  })
  .refine(({ username, password }) => username === "" && password === "", {
    error: "contains a user name or password. Leave them out.",
    abort: true,
  })
  .refine(({ search, hash }) => search === "" && hash === "", {
    error: "contains a ? or # part. Leave it out.",
    abort: true,
  })
  .refine(
    ({ protocol, hostname }) => protocol === "https:" || isLoopback(hostname),
    "must begin with https:// (http:// is only for this machine, e.g. http://127.0.0.1:8080).",
  )
  .transform((url) => {
    url.pathname = url.pathname.replace(/\/+$/, "");
    return url;
  });

/** For a service whose paths begin with a version: addresses in its documentation often end with it. */
const unversionedUrl = baseUrl.refine(
  ({ pathname }) => !/\/v\d+(?:\.\d+)?$/.test(pathname),
  "ends with a version. Leave that out: the bot adds it.",
);

/** The portal of rail data shows the address of a whole request, which ends with e.g. `/GetDepartureBoard/{crs}`. */
const productUrl = baseUrl.refine(
  ({ pathname }) => !/\/(?:Get[A-Z]|tocs)|%7B/.test(pathname),
  "contains more than the product's address. Leave out what follows the version, e.g. /GetDepartureBoard/{crs}.",
);

/** Whether a host, as `URL.hostname` writes it, is this machine. */
export function isLoopback(hostname: string): boolean {
  return ["localhost", "[::1]"].includes(hostname) || (isIP(hostname) === 4 && hostname.startsWith("127."));
}

/** Hosts with or without a port, as `URL.host` writes them. */
const hosts = list(
  (item) => (/[/@?#\\\s]/.test(item) ? undefined : URL.parse(`https://${item}`)?.host),
  "must be hosts separated by commas, e.g. cdn.example.org,127.0.0.1:8080, without https://.",
);

/** More than any bot has. Prevents a typing mistake from starting a million shards. */
const MAX_SHARDS = 10_000;

/** Shard numbers, sorted and without duplicates, or `auto`. */
export const shards = value((text): "auto" | readonly number[] | undefined => {
  if (text === "auto") {
    return text;
  }
  const numbers = listItems(text).flatMap(readRange);
  const isList = numbers.length > 0 && numbers.every((number) => number !== undefined);
  return isList ? [...new Set(numbers)].toSorted((a, b) => a - b) : undefined;
}, "must be auto, or shard numbers such as 0,1 or 0-3.");

function readRange(text: string): readonly (number | undefined)[] {
  const match = /^(\d{1,5})(?:\s*-\s*(\d{1,5}))?$/.exec(text);
  const first = Number(match?.[1]);
  const last = Number(match?.[2] ?? first);
  const inOrder = first <= last && last < MAX_SHARDS;
  return inOrder ? Array.from({ length: last - first + 1 }, (_, index) => first + index) : [undefined];
}

export const shardCount = value(
  (text): "auto" | number | undefined => (text === "auto" ? text : readWhole(text, 1, MAX_SHARDS)),
  `must be auto or a whole number from 1 to ${MAX_SHARDS}.`,
);

const SPANS_MS: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  "28d": 28 * 86_400_000,
};

/** A number of calls in any minute, hour, day or 28 days: `50/minute`, `1000/hour`, `30/day`, `5000000/28d`. */
const allowance = value((text) => {
  const [amountText = "", span = "", ...rest] = text.split("/").map((part) => part.trim());
  const calls = readWhole(amountText, 1, 999_999_999);
  const windowMs = SPANS_MS[span];
  const isUsable = calls !== undefined && windowMs !== undefined && rest.length === 0;
  return isUsable ? { calls, windowMs } : undefined;
}, "must be a number and a period: minute, hour, day or 28d, e.g. 1000/hour or 30/day.");

/** `sqlite:` with a file, or the URL of a PostgreSQL server, unchanged. */
const databaseUrl = z
  .string()
  .refine(
    (text) => /^sqlite:./.test(text) || isServer(text),
    "must be sqlite: and a file, e.g. sqlite:data/signalbox.db, or a server such as postgres://user:password@host:5432/name, where special characters in the password are percent-encoded.",
  );

function isServer(text: string): boolean {
  const { protocol = "", hostname = "", password = "" } = URL.parse(text) ?? {};
  return /^postgres(?:ql)?:$/.test(protocol) && hostname !== "" && isPassword(password);
}

/** Control characters are rejected, because the log could not find and redact an escaped password. */
function isPassword(text: string): boolean {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(text));
  } catch {
    return false;
  }
}

/** More of anything than one server has. Prevents a typing mistake from disabling the limit. */
const MAX_AMOUNT = 10_000;

const amount = wholeNumber(1, MAX_AMOUNT, `must be a whole number from 1 to ${MAX_AMOUNT}.`);

const serviceName = z
  .string()
  .regex(/^\P{C}{1,40}$/u, "must be a name of up to 40 characters on one line, e.g. Facebook.");

/** The credit that a source's terms ask for; may contain a link, e.g. `Powered by [Example](https://example.org)`. */
const credit = z.string().regex(/^\P{C}{1,200}$/u, "must be up to 200 characters on one line.");

const MAX_DAYS = 366;

/** How many days something is kept; 0 turns it off. */
const days = wholeNumber(0, MAX_DAYS, `must be a whole number from 0 to ${MAX_DAYS}.`);

/** Corrects the capitalisation. */
const timeZone = value(readTimeZone, "must be an IANA time zone, e.g. Europe/London.");

function readTimeZone(text: string): string | undefined {
  // Intl would also accept offsets such as +01:00, but those have no summer time.
  if (!/^[a-z]/i.test(text)) {
    return undefined;
  }
  try {
    const { timeZone: name } = new Intl.DateTimeFormat("en-GB", { timeZone: text }).resolvedOptions();
    // Intl may return an older name, e.g. Asia/Katmandu for Asia/Kathmandu. Then the operator's spelling is kept.
    return name.toLowerCase() === text.toLowerCase() ? name : text;
  } catch {
    return undefined;
  }
}

/** Nothing that a person writes by hand is longer. Prevents a wrong name from filling the memory. */
const MAX_FILE_BYTES = 1024 * 1024;

/** The path of a text file; the value is its content. Relative paths begin at the working directory. */
export const textFile = value(
  readSmallFile,
  "must name a readable file of at most 1 MB, e.g. ./styles.json.",
);

function readSmallFile(path: string): string | undefined {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= MAX_FILE_BYTES ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

const apiVersion = z.string().regex(/^v\d{1,3}\.\d{1,3}$/, "must be a version beginning with v, e.g. v26.0.");

const SECRET_KEY_BYTES = 32;

const secretKey = value(
  readSecretKey,
  "must be 32 bytes in base64. Make one with `openssl rand -base64 32`.",
);

const secretKeys = list(readSecretKey, "must be keys of 32 bytes in base64, separated by commas.");

function readSecretKey(text: string): Uint8Array | undefined {
  const bytes = /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, "base64") : Buffer.alloc(0);
  return bytes.byteLength === SECRET_KEY_BYTES ? new Uint8Array(bytes) : undefined;
}

const guilds = value((text): GuildSelection | undefined => {
  const ids = listItems(text);
  const isList = ids.length > 0 && ids.every((id) => /^\d{17,20}$/.test(id));
  return text === "*" ? text : isList ? ids : undefined;
}, "must be server ids separated by commas, e.g. 123456789012345678 (in Discord: Developer Mode, then Copy Server ID), or * for every server.");

const host = z
  .string()
  .refine(
    (text) => isIP(text) > 0 || /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(text),
    "must be an address of this machine, e.g. 127.0.0.1, or 0.0.0.0 for all of them.",
  );

const port = wholeNumber(1, 65_535, "must be a port from 1 to 65535; leave it out for none.");

function oneOf<const T extends readonly string[]>(words: T) {
  return z.enum(words, { error: `must be one of ${words.join(", ")}.` });
}

function readWhole(text: string, min: number, max: number): number | undefined {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : undefined;
}

function listItems(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

const TOKEN_MISSING =
  "is missing. Copy .env.example to .env, put your bot's token in it, and make sure that this user can read the file. Or try the bot without a token: `npm run sandbox`.";

export const VARIABLES = z.object({
  DISCORD_TOKEN: z.string({ error: TOKEN_MISSING }).pipe(credential),
  DISCORD_API_BASE_URL: baseUrl.prefault("https://discord.com/api"),
  DISCORD_CDN_HOSTS: hosts.prefault("cdn.discordapp.com,media.discordapp.net"),
  ALLOWED_GUILDS: guilds.prefault("*"),
  USER_INSTALL: oneOf(["on", "off"]).prefault("on"),
  SHARDS: shards.prefault("auto"),
  SHARD_COUNT: shardCount.prefault("auto"),
  STYLE_API_BASE_URL: unversionedUrl.optional(),
  STYLE_API_KEY: credential.optional(),
  STYLE_CATALOGUE: textFile.optional(),
  STYLE_SERVICE_NAME: serviceName.optional(),
  STYLE_BUDGET: allowance.optional(),
  TRANSPORT_API_BASE_URL: baseUrl.prefault("https://transportapi.com"),
  TRANSPORT_APP_ID: credential.optional(),
  TRANSPORT_APP_KEY: credential.optional(),
  TRANSPORT_DIALECT: oneOf(["specification", "public"]).prefault("specification"),
  TRANSPORT_BUDGET: allowance.optional(),
  TRANSPORT_SERVICE_NAME: serviceName.optional(),
  RAIL_DATA_DEPARTURES_URL: productUrl.optional(),
  RAIL_DATA_DEPARTURES_KEY: credential.optional(),
  RAIL_DATA_ARRIVALS_URL: productUrl.optional(),
  RAIL_DATA_ARRIVALS_KEY: credential.optional(),
  RAIL_DATA_SERVICE_URL: productUrl.optional(),
  RAIL_DATA_SERVICE_KEY: credential.optional(),
  RAIL_DATA_DISRUPTIONS_URL: productUrl.optional(),
  RAIL_DATA_DISRUPTIONS_KEY: credential.optional(),
  RAIL_DATA_BUDGET: allowance.prefault("5000000/28d"),
  RAIL_DATA_CREDIT: credit.optional(),
  TFL: oneOf(["on", "off"]).prefault("off"),
  TFL_API_BASE_URL: baseUrl.prefault("https://api.tfl.gov.uk"),
  TFL_APP_KEY: credential.optional(),
  TFL_BUDGET: allowance.optional(),
  VIDEO_API_BASE_URL: unversionedUrl.prefault("https://graph.facebook.com"),
  VIDEO_API_VERSION: apiVersion.prefault("v26.0"),
  VIDEO_ACCESS_TOKEN: credential.optional(),
  VIDEO_GUILDS: guilds.optional(),
  VIDEO_SERVICE_NAME: serviceName.optional(),
  VIDEO_APP_SECRET: credential.optional(),
  VIDEO_TOKEN_IN: oneOf(["header", "field"]).prefault("header"),
  VIDEO_UPLOAD: oneOf(["auto", "simple", "chunked"]).prefault("auto"),
  SECRET_KEY: secretKey.optional(),
  SECRET_KEY_OLD: secretKeys.optional(),
  DATABASE_URL: databaseUrl.prefault(`sqlite:${DEFAULT_FILE}`),
  BACKUP_FOLDER: z.string().optional(),
  BACKUP_DAYS: days.prefault("14"),
  BOARDS_PER_GUILD: amount.prefault("50"),
  // Not validated, because it is known to be valid, and the first use of Intl takes 5 ms.
  TIME_ZONE: timeZone.default("Europe/London"),
  HTTP_PORT: port.optional(),
  HTTP_HOST: host.prefault("127.0.0.1"),
  LOG_LEVEL: oneOf(LOG_LEVELS).prefault("info"),
  OWNER_NOTICES: oneOf(["on", "off"]).prefault("on"),
});

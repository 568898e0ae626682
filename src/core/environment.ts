// Reads the operator's variables from the environment, and finds problems with them. The only module that reads
// `process.env`.
import type { z } from "zod";
import { ConfigError } from "./errors.ts";
import { typingDistance } from "./search-text.ts";
import { VARIABLES, shardCount, shards, textFile } from "./variables.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type Variables = z.output<typeof VARIABLES>;

/** Where the database and its backups are, and the plans whose calls it counts. */
const STORAGE = VARIABLES.pick({
  DATABASE_URL: true,
  BACKUP_FOLDER: true,
  BACKUP_DAYS: true,
  TRANSPORT_BUDGET: true,
  RAIL_DATA_DEPARTURES_URL: true,
  RAIL_DATA_BUDGET: true,
  TFL: true,
  TFL_BUDGET: true,
  STYLE_BUDGET: true,
});

/** An empty variable counts as unset. Throws a ConfigError with all problems, none of which repeats a value. */
export function readVariables(environment: Environment = process.env): Variables {
  return read(VARIABLES, environment, findContradictions);
}

/** Reads only the variables about the database and the plans, as readVariables does. Others may be invalid or missing. */
export function readStorageVariables(environment: Environment = process.env) {
  return read(STORAGE, environment, () => []);
}

/** Reads a schema's variables, each also from a file, as secrets often are: `<NAME>_FILE` contains its path. */
function read<T extends z.ZodRawShape>(
  schema: z.ZodObject<T>,
  environment: Environment,
  findMore: (set: Environment) => readonly string[],
) {
  const set: Record<string, string> = {};
  const problems = new Map<string, string>();
  for (const name of Object.keys(schema.shape)) {
    const text = textOf(environment, name);
    const path = textOf(environment, `${name}_FILE`);
    const value = path === "" ? text : (textFile.safeParse(path).data?.trim() ?? "");
    if (path !== "" && text !== "") {
      problems.set(name, `${name} and ${name}_FILE are both set. Set only one of them.`);
    } else if (path !== "" && value === "") {
      problems.set(name, `${name}_FILE must name a readable file that contains the value of ${name}.`);
    }
    if (value !== "") {
      set[name] = value;
    }
  }
  const result = schema.safeParse(set);
  for (const { path, message } of result.error?.issues ?? []) {
    const name = path.join(".");
    // If a variable's file cannot be read, do not also report that the variable is missing.
    if (!problems.has(name)) {
      problems.set(name, `${name} ${message}`);
    }
  }
  const sentences = [...problems.values(), ...findMore(set)];
  if (!result.success || sentences.length > 0) {
    throw new ConfigError(sentences);
  }
  return result.data;
}

/** Some Windows programs write it at the beginning of a text file. Node reads it as part of the first variable's name. */
const BYTE_ORDER_MARK = "\uFEFF";

/** Removes quotes, which Docker's `--env-file` passes on, unlike other readers of such files. */
function textOf(environment: Environment, name: string): string {
  const text = (environment[name] ?? environment[`${BYTE_ORDER_MARK}${name}`])?.trim() ?? "";
  return /^(["'])(.*)\1$/s.exec(text)?.[2]?.trim() ?? text;
}

export const RAIL_DATA_PRODUCTS = ["departures", "arrivals", "service", "disruptions"] as const;

/** Finds problems between variables. An invalid value is skipped, because it is reported separately. */
function findContradictions(set: Environment): string[] {
  const has = (name: string): boolean => set[name] !== undefined;
  const products = RAIL_DATA_PRODUCTS.map((product) => `RAIL_DATA_${product.toUpperCase()}`);
  const pairs = [
    ["TRANSPORT_APP_ID", "TRANSPORT_APP_KEY", " to run without the transport service."] as const,
    ...products.map(
      (name) =>
        [`${name}_URL`, `${name}_KEY`, ": each product has an address and a key of its own."] as const,
    ),
  ];
  const incomplete = pairs
    .filter(([one, other]) => has(one) !== has(other))
    .map(([one, other, end]) => {
      const [given, missing] = has(one) ? [one, other] : [other, one];
      return `${missing} is missing. Set it with ${given}, or set neither${end}`;
    });
  const list = shards.safeParse(set["SHARDS"] ?? "auto").data;
  const count = shardCount.safeParse(set["SHARD_COUNT"] ?? "auto").data;
  const last = Array.isArray(list) ? Number(list.at(-1)) : -1;
  const isOpenToAll = (set["ALLOWED_GUILDS"] ?? "*") === "*";
  const others: readonly (readonly [isProblem: boolean, sentence: string])[] = [
    [
      has("TRANSPORT_APP_KEY") && !has("TRANSPORT_BUDGET"),
      "TRANSPORT_BUDGET is missing. Set how many calls your plan allows, e.g. 30/day for the free plan, or 1000/hour.",
    ],
    [
      !has("RAIL_DATA_DEPARTURES_URL") && products.some((name) => has(`${name}_URL`)),
      "RAIL_DATA_DEPARTURES_URL is missing. Set it: the other products only add to the departures.",
    ],
    [
      has("TFL_APP_KEY") && !has("TFL"),
      "TFL is missing, but TFL_APP_KEY is set. Set TFL=on for London, or leave both out.",
    ],
    [
      has("VIDEO_ACCESS_TOKEN") && !has("VIDEO_GUILDS") && isOpenToAll,
      "VIDEO_GUILDS is missing. List the ids of the servers that may publish with your account, or set * for every server that invites the bot.",
    ],
    [
      has("SECRET_KEY_OLD") && !has("SECRET_KEY"),
      "SECRET_KEY is missing, but SECRET_KEY_OLD is set. Set the new key too.",
    ],
    [
      has("STYLE_API_KEY") && !has("STYLE_API_BASE_URL"),
      "STYLE_API_BASE_URL is missing. Set it with STYLE_API_KEY, or set neither to run without restyled pictures.",
    ],
    [
      last >= 0 && count === "auto",
      "SHARD_COUNT is missing. Set it with SHARDS, to the total number of shards, e.g. 4.",
    ],
    [
      typeof count === "number" && last >= count,
      "SHARDS contains a number that is too high: shards run from 0 to one less than SHARD_COUNT.",
    ],
  ];
  return [...incomplete, ...others.filter(([isProblem]) => isProblem).map(([, sentence]) => sentence)];
}

export type Variable = keyof typeof VARIABLES.shape;

/** Whether a variable has a value, or a file that should contain it. */
export function isSet(name: Variable, environment: Environment = process.env): boolean {
  return [name, `${name}_FILE`].some((each) => textOf(environment, each) !== "");
}

/** The problem with a value, as the end of a sentence that begins with the variable's name; `undefined` if it is valid. */
export function findProblem(name: Variable, text: string): string | undefined {
  return VARIABLES.shape[name].safeParse(text).error?.issues[0]?.message;
}

/** Names up to this length may contain one typing mistake, longer names two. */
const SHORT_NAME = 8;

/** How the names of many of our variables begin. Other programs use `HTTP_`, e.g. in `HTTP_PROXY`. */
const OURS = /^(?:BACKUP|DISCORD|RAIL_DATA|STYLE|TFL|TRANSPORT|VIDEO)_/;

/**
 * Returns a sentence for each unknown variable whose name resembles a known one, e.g. `HTTPPORT`, or begins like one, e.g.
 * `BACKUP_DIR`. Repeats no value.
 */
export function findMisspelt(environment: Environment = process.env): readonly string[] {
  const known = Object.keys(VARIABLES.shape).flatMap((name) => [name, `${name}_FILE`]);
  return Object.entries(environment).flatMap(([name, text = ""]) => {
    if (text.trim() === "" || known.includes(name.replace(BYTE_ORDER_MARK, ""))) {
      return [];
    }
    const typed = plainName(name);
    const limit = typed.length <= SHORT_NAME ? 1 : 2;
    const distances = known.map((each) => ({
      each,
      distance: typingDistance(typed, plainName(each), limit).whole,
    }));
    const [meant] = distances.toSorted((a, b) => a.distance - b.distance);
    const isSimilar = meant !== undefined && meant.distance < Infinity;
    const advice = isSimilar ? `Did you mean ${meant.each}?` : ".env.example lists all variables.";
    return isSimilar || OURS.test(name)
      ? [`${name} is not a variable of Signalbox and has no effect. ${advice}`]
      : [];
  });
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** Whether npm started this process, which it does through a shell. */
export function isStartedByNpm(): boolean {
  return process.env["npm_lifecycle_event"] !== undefined;
}

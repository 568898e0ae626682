// The bot's configuration: turns the operator's variables into settings for each part.
import { dirname, join } from "node:path";
import {
  type Environment,
  RAIL_DATA_PRODUCTS,
  type Variables,
  isSet,
  readStorageVariables,
  readVariables,
} from "./environment.ts";

export type Config = ReturnType<typeof createConfig>;
export type AccessConfig = Config["access"];
export type DiscordConfig = Config["discord"];
export type ServiceNames = Config["serviceNames"];
export type StyleConfig = NonNullable<Config["style"]>;
/** The folder of backups, and for how many days they are kept; with 0, the bot makes none automatically. */
export type BackupSettings = Config["backups"];
export type VideoConfig = NonNullable<Config["video"]>;

/** Throws a ConfigError that lists every problem with the variables, without repeating a value. */
export function readConfig(environment?: Environment): Config {
  return createConfig(readVariables(environment));
}

/**
 * Reads the configuration of programs that use only the database. Other variables may be invalid or missing, as when
 * somebody restores a backup on a new machine. Throws as readConfig does.
 */
export function readStorage(environment?: Environment) {
  const variables = readStorageVariables(environment);
  return {
    ...createStorageConfig(variables),
    budgets: {
      transport: variables.TRANSPORT_BUDGET,
      "rail-data": variables.RAIL_DATA_DEPARTURES_URL && variables.RAIL_DATA_BUDGET,
      tfl:
        variables.TFL === "on"
          ? (variables.TFL_BUDGET ?? tflRate(isSet("TFL_APP_KEY", environment)))
          : undefined,
      style: variables.STYLE_BUDGET,
    },
  };
}

function createConfig(variables: Variables) {
  const { TRANSPORT_APP_ID: appId, TRANSPORT_APP_KEY: appKey } = variables;
  const { STYLE_API_BASE_URL: styleBaseUrl, STYLE_API_KEY: styleKey } = variables;
  const { VIDEO_ACCESS_TOKEN: accessToken, SECRET_KEY: key, TRANSPORT_BUDGET: budget } = variables;
  return {
    discord: {
      token: variables.DISCORD_TOKEN,
      /** Without the version, e.g. `https://discord.com/api`. */
      apiBaseUrl: variables.DISCORD_API_BASE_URL,
      /** The only hosts from which attachments are downloaded, `host[:port]` as `URL.host` writes them. */
      cdnHosts: variables.DISCORD_CDN_HOSTS,
      /** The shards that this process runs; `auto` for all of them. */
      shards: variables.SHARDS,
      /** The total number of shards; `auto` for the number Discord recommends. Always a number if `shards` is a list. */
      shardCount: variables.SHARD_COUNT,
    },
    access: {
      guilds: variables.ALLOWED_GUILDS,
      userInstall: variables.USER_INSTALL === "on",
    },
    /** `undefined` without credentials: its commands are then not registered. */
    style:
      styleBaseUrl === undefined || styleKey === undefined
        ? undefined
        : {
            baseUrl: styleBaseUrl,
            apiKey: styleKey,
            /** The text of the catalogue's file, not yet parsed. `undefined`: any word is accepted as a style. */
            catalogue: variables.STYLE_CATALOGUE,
            /** How many pictures may be requested; `undefined` for any number. */
            budget: variables.STYLE_BUDGET,
          },
    /** `undefined` without credentials: its commands are then not registered. */
    transport:
      appId === undefined || appKey === undefined || budget === undefined
        ? undefined
        : {
            baseUrl: variables.TRANSPORT_API_BASE_URL,
            appId,
            appKey,
            /**
             * `specification`: the specification's paths, with credentials in the query. `public`: the public service's
             * paths, with credentials in headers.
             */
            dialect: variables.TRANSPORT_DIALECT,
            budget,
          },
    /** Rail data; `undefined` without the product for departures. */
    railData: createRailDataConfig(variables),
    /** Transport for London; `undefined` unless it is switched on. */
    tfl:
      variables.TFL === "off"
        ? undefined
        : {
            baseUrl: variables.TFL_API_BASE_URL,
            /** `undefined`: no key is sent, and TfL allows a tenth of the rate. */
            appKey: variables.TFL_APP_KEY,
            budget: variables.TFL_BUDGET ?? tflRate(variables.TFL_APP_KEY !== undefined),
          },
    /** `undefined` without a token and without `secretKey`: its commands are then not registered. */
    video:
      accessToken === undefined && key === undefined
        ? undefined
        : {
            baseUrl: variables.VIDEO_API_BASE_URL,
            version: variables.VIDEO_API_VERSION,
            /** The access token of the operator's account. `undefined`: only the accounts of servers are used. */
            accessToken,
            /** The servers that may publish with this token; `*` for every server. */
            guilds: variables.VIDEO_GUILDS ?? variables.ALLOWED_GUILDS,
            /** The secret of the application that issued the tokens. `undefined`: calls carry no proof of it. */
            appSecret: variables.VIDEO_APP_SECRET,
            tokenIn: variables.VIDEO_TOKEN_IN,
            /** How files are uploaded; `auto` decides by their size. */
            upload: variables.VIDEO_UPLOAD,
          },
    /** The names that members read in place of "the style service" and so on; `undefined` keeps those words. */
    serviceNames: {
      style: variables.STYLE_SERVICE_NAME,
      video: variables.VIDEO_SERVICE_NAME,
      "train data": variables.TRANSPORT_SERVICE_NAME,
    },
    /** 32 bytes each. The first encrypts, and all of them decrypt. Without any, no account can be linked. */
    secretKeys: key === undefined ? [] : [key, ...(variables.SECRET_KEY_OLD ?? [])],
    ...createStorageConfig(variables),
    /** How many boards a server may have, paused ones included. */
    boardsPerGuild: variables.BOARDS_PER_GUILD,
    /** The IANA time zone of schedules, unless a board or server chooses another. Train times are always in UK time. */
    timeZone: variables.TIME_ZONE,
    /** The address of `/health`; without a port, it is not served. */
    http: { port: variables.HTTP_PORT, host: variables.HTTP_HOST },
    logLevel: variables.LOG_LEVEL,
    /** Whether the bot's owners get a DM about problems that need their attention. */
    ownerNotices: variables.OWNER_NOTICES === "on",
  };
}

function createStorageConfig({
  DATABASE_URL: url,
  BACKUP_FOLDER: folder,
  BACKUP_DAYS: keptDays,
}: Pick<Variables, "DATABASE_URL" | "BACKUP_FOLDER" | "BACKUP_DAYS">) {
  const file = /^sqlite:(?!:memory:)(.+)/.exec(url)?.[1];
  return {
    /** `sqlite:` and a file, or `postgres://…` with a password in it. */
    databaseUrl: url,
    backups: {
      /** The default is beside the database file, or in the bot's own data folder. */
      folder: folder ?? join(file === undefined ? "data" : dirname(file), "backups"),
      /** With 0, the bot makes none automatically. A database in memory needs no backup. */
      days: url === "sqlite::memory:" ? 0 : keptDays,
    },
  };
}

function tflRate(hasKey: boolean) {
  return { calls: hasKey ? 500 : 50, windowMs: 60_000 };
}

function createRailDataConfig(variables: Variables) {
  const product = (name: Uppercase<(typeof RAIL_DATA_PRODUCTS)[number]>) => {
    const { [`RAIL_DATA_${name}_URL` as const]: url, [`RAIL_DATA_${name}_KEY` as const]: key } = variables;
    return url === undefined || key === undefined ? undefined : { url, key };
  };
  const departures = product("DEPARTURES");
  return (
    departures && {
      departures,
      arrivals: product("ARRIVALS"),
      /** The product for one train's calling points. */
      service: product("SERVICE"),
      disruptions: product("DISRUPTIONS"),
      budget: variables.RAIL_DATA_BUDGET,
      /** Markdown that credits the source; `undefined` for the default. */
      credit: variables.RAIL_DATA_CREDIT,
    }
  );
}
/** The values that the log must redact. */
export function listSecrets(config: Config): readonly string[] {
  const { discord, style, transport, railData, tfl, video, secretKeys: keys, databaseUrl: url } = config;
  return [
    discord.token,
    style?.apiKey,
    transport?.appId,
    transport?.appKey,
    ...RAIL_DATA_PRODUCTS.map((product) => railData?.[product]?.key),
    tfl?.appKey,
    video?.accessToken,
    video?.appSecret,
    ...keys.flatMap((key) => [Buffer.from(key).toString("base64"), Buffer.from(key).toString("base64url")]),
    ...databasePasswords(url),
  ].filter((secret) => secret !== undefined);
}

/** The password as the URL contains it, and decoded if it is percent-encoded. */
function databasePasswords(url: string): readonly string[] {
  const password = URL.parse(url)?.password ?? "";
  return password === "" ? [] : [...new Set([password, decodeURIComponent(password)])];
}

// What DATABASE_URL says of a PostgreSQL server: where it is, how its connections are encrypted, and how many there are.
import { readFileSync } from "node:fs";
import type { PoolConfig } from "pg";
import { ConfigError } from "../core/errors.ts";

/** How a pool of connections is opened. */
export interface PostgresAddress {
  readonly connection: PoolConfig;
  /** Connections of one process, at most. */
  readonly poolSize: number;
}

/** Statements are short: more connections would only wait inside the server. */
const DEFAULT_POOL_SIZE = 5;
const LARGEST_POOL_SIZE = 100;

/** https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-SSLMODE-STATEMENTS, but for `allow` and `prefer`. */
const SSL_MODES = ["disable", "require", "verify-ca", "verify-full"] as const;

type SslMode = (typeof SSL_MODES)[number];

/** Throws a ConfigError for a parameter that cannot be used. */
export function readPostgresUrl(url: string): PostgresAddress {
  const parsed = new URL(url);
  const poolSize = takePoolSize(parsed);
  const ssl = takeSsl(parsed);
  return { connection: { connectionString: parsed.href, ...(ssl !== undefined && { ssl }) }, poolSize };
}

function take(url: URL, name: string): string | undefined {
  const value = url.searchParams.get(name) ?? undefined;
  url.searchParams.delete(name);
  return value;
}

function takePoolSize(url: URL): number {
  const text = take(url, "pool_size");
  const size = text === undefined ? DEFAULT_POOL_SIZE : Number(text);
  if (!Number.isInteger(size) || size < 1 || size > LARGEST_POOL_SIZE) {
    throw new ConfigError([
      `DATABASE_URL has pool_size=${text}. Give a whole number from 1 to ${LARGEST_POOL_SIZE}, or leave it out for ${DEFAULT_POOL_SIZE}.`,
    ]);
  }
  return size;
}

/** `undefined` leaves it to the driver, which does not encrypt. */
function takeSsl(url: URL): PoolConfig["ssl"] | undefined {
  const mode = take(url, "sslmode");
  const rootFile = take(url, "sslrootcert");
  const certFile = take(url, "sslcert");
  const keyFile = take(url, "sslkey");
  if (mode === undefined && rootFile === undefined) {
    return undefined;
  }
  if (mode !== undefined && !isSslMode(mode)) {
    throw new ConfigError([
      `DATABASE_URL has sslmode=${mode}. Use one of ${SSL_MODES.join(", ")}: an encrypted connection to a server that shows the certificate of its name needs verify-full.`,
    ]);
  }
  if (mode === "disable") {
    return false;
  }
  const ca = rootFile === undefined ? undefined : readFile("sslrootcert", rootFile);
  if (mode === "verify-ca" && ca === undefined) {
    throw new ConfigError([
      "DATABASE_URL has sslmode=verify-ca without sslrootcert. Name the file of your certificate authority, or use verify-full.",
    ]);
  }
  return {
    ...(ca !== undefined && { ca }),
    ...(certFile !== undefined && { cert: readFile("sslcert", certFile) }),
    ...(keyFile !== undefined && { key: readFile("sslkey", keyFile) }),
    // As libpq does: `require` encrypts and asks no further, unless there is an authority to ask.
    rejectUnauthorized: mode !== "require" || ca !== undefined,
    ...((mode === "verify-ca" || mode === "require") && { checkServerIdentity: () => undefined }),
  };
}

function isSslMode(mode: string): mode is SslMode {
  return SSL_MODES.some((known) => known === mode);
}

function readFile(parameter: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new ConfigError([`DATABASE_URL has ${parameter}=${file}, which cannot be read.`]);
  }
}

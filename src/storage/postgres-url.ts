// Parses a DATABASE_URL that names a PostgreSQL server: its address, encryption and pool size.
import { readFileSync } from "node:fs";
import type { PoolConfig } from "pg";
import { parseIntoClientConfig } from "pg-connection-string";
import { ConfigError } from "../core/errors.ts";

export interface PostgresAddress {
  readonly connection: PoolConfig;
  readonly poolSize: number;
}

/** Statements are short, so more connections would only wait inside the server. */
const DEFAULT_POOL_SIZE = 5;
const LARGEST_POOL_SIZE = 100;

/** https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-SSLMODE-STATEMENTS, except `allow` and `prefer`. */
const SSL_MODES: readonly string[] = ["disable", "require", "verify-ca", "verify-full"];

/** Parses the URL and reads its certificate files. Throws a ConfigError if a parameter cannot be used. */
export function readPostgresUrl(url: string): PostgresAddress {
  const parsed = new URL(url);
  const poolSize = takePoolSize(parsed);
  checkSsl(parsed.searchParams);
  if (parsed.searchParams.has("sslmode")) {
    // Makes the driver interpret the mode as PostgreSQL's own programs do.
    parsed.searchParams.set("uselibpqcompat", "true");
  }
  // With the URL, the driver would read the files for each connection, and an error would end the process.
  return { connection: parseIntoClientConfig(parsed.href), poolSize };
}

function takePoolSize(url: URL): number {
  const text = url.searchParams.get("pool_size");
  url.searchParams.delete("pool_size");
  const size = text === null ? DEFAULT_POOL_SIZE : Number(text);
  if (!Number.isInteger(size) || size < 1 || size > LARGEST_POOL_SIZE) {
    throw new ConfigError([
      `DATABASE_URL has pool_size=${text}. Give a whole number from 1 to ${LARGEST_POOL_SIZE}, or leave it out for ${DEFAULT_POOL_SIZE}.`,
    ]);
  }
  return size;
}

/** Throws a readable error for mistakes that the driver would report with a code, or not at all. */
function checkSsl(parameters: URLSearchParams): void {
  const mode = parameters.get("sslmode");
  if (mode !== null && !SSL_MODES.includes(mode)) {
    throw new ConfigError([
      `DATABASE_URL has sslmode=${mode}. Use one of ${SSL_MODES.join(", ")}: an encrypted connection to a server that shows the certificate of its name needs verify-full.`,
    ]);
  }
  if (mode === "verify-ca" && !parameters.has("sslrootcert")) {
    throw new ConfigError([
      "DATABASE_URL has sslmode=verify-ca without sslrootcert. Name the file of your certificate authority, or use verify-full.",
    ]);
  }
  for (const [name, file] of parameters) {
    if (["sslrootcert", "sslcert", "sslkey"].includes(name) && !isReadable(file)) {
      throw new ConfigError([`DATABASE_URL has ${name}=${file}, which cannot be read.`]);
    }
  }
}

function isReadable(file: string): boolean {
  try {
    // The driver reads the file too. A check without reading would accept a folder.
    readFileSync(file);
    return true;
  } catch {
    return false;
  }
}

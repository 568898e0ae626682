// The engine for a fleet: a PostgreSQL server that several processes share.
import { CompiledQuery, Kysely, PostgresDialect, sql } from "kysely";
import { DatabaseError, Pool, types as pgTypes } from "pg";
import { ConfigError, ServiceError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { Engine, LockName, Schema } from "./schema.ts";

/** Connections of one process; statements are short, more would only wait inside the server. */
const MAX_CONNECTIONS = 5;
const CONNECT_TIMEOUT_MS = 5_000;
/** A process that hangs in the middle must not keep the others from their locks for longer. */
const SESSION_LIMITS =
  "set lock_timeout = '10s'; set statement_timeout = '15s'; set idle_in_transaction_session_timeout = '15s'";

/** Any numbers will do, as long as no other program uses them on the same database. */
const LOCK_KEYS: Readonly<Record<LockName, number>> = {
  migrate: 73_501,
  spend: 73_502,
  boards: 73_503,
};

const INT8 = 20;
const NUMERIC = 1_700;

/** Connects once to see whether it can. Throws a ConfigError where it cannot; the password is never repeated. */
export async function openPostgres(url: string, log: Log): Promise<Engine> {
  const pool = createPool(url);
  // A connection that dies while nobody uses it is replaced; without a listener it would end the process.
  pool.on("error", (error) => log.warn({ reason: reasonOf(error) }, "a connection to the database was lost"));
  try {
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    throw new ConfigError([
      `DATABASE_URL names a PostgreSQL server that cannot be used (${reasonOf(error)}). Check host, port, user, password and database, and that the server runs.`,
    ]);
  }
  return {
    queries: new Kysely<Schema>({
      dialect: new PostgresDialect({
        pool: {
          options: pool.options,
          connect: () => pool.connect().catch(throwUnavailable),
          end: () => pool.end(),
        },
        async onCreateConnection(connection) {
          const execute = connection.executeQuery.bind(connection);
          // What it gives back is untouched; only `bind` forgets that the function has a type parameter.
          connection.executeQuery = ((...query: Parameters<typeof execute>) =>
            execute(...query).catch(explain)) as typeof connection.executeQuery;
          await connection.executeQuery(CompiledQuery.raw(SESSION_LIMITS));
        },
      }),
    }),
    async lock(transaction, name) {
      await sql`select pg_advisory_xact_lock(${LOCK_KEYS[name]})`.execute(transaction);
    },
    isDuplicate: (error, { name }) =>
      error instanceof DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === name,
  };
}

function createPool(url: string): Pool {
  return new Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "signalbox",
    // Milliseconds and sums stay far below 2^53: they need not be the strings that the library gives.
    types: {
      getTypeParser: (oid: number) =>
        oid === INT8 || oid === NUMERIC ? Number : pgTypes.getTypeParser(oid, "text"),
    },
  });
}

/**
 * Classes of SQLSTATE that are about the server and not about the query: connections, resources, a lock that took too
 * long, and what an administrator did. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const SERVER_TROUBLE = /^(?:08|53|55|57|58)/;
const SQLSTATE = /^[0-9A-Z]{5}$/;
const UNIQUE_VIOLATION = "23505";

/** What goes wrong on the way has a code of the system's, such as `ECONNRESET`, or none. */
function explain(cause: unknown): never {
  const code = reasonOf(cause);
  if (SQLSTATE.test(code) && !SERVER_TROUBLE.test(code)) {
    throw cause;
  }
  throwUnavailable(cause);
}

function throwUnavailable(cause: unknown): never {
  throw new ServiceError("storage", "unavailable", reasonOf(cause), { cause });
}

/** The code alone, e.g. `ECONNREFUSED`, `28P01`: messages may hold user names and addresses. */
function reasonOf(error: unknown): string {
  const code: unknown =
    typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "no answer";
}

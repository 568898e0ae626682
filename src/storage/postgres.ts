// The engine for a fleet: a PostgreSQL server that several processes share. A connection may break at any time, in use
// or idle: the caller gets a ServiceError `storage`/`unavailable`, and the connection is replaced.
import { CompiledQuery, Kysely, PostgresDialect, type PostgresPoolClient, sql } from "kysely";
import { DatabaseError, Pool, type PoolClient, types as pgTypes } from "pg";
import { ConfigError, ServiceError, codeOf } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { type EngineOptions, type Intercept, interceptWith } from "./open-engine.ts";
import { type PostgresAddress, readPostgresUrl } from "./postgres-url.ts";
import type { AnyRow, Engine, LockName, Queries, Schema } from "./schema.ts";
import { CLOCK_TOLERANCE_MS, type Clock } from "../core/clock.ts";

/** Detects a server that disappeared without closing its connections. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** Opening one takes several round trips, and an answer may need this many. Others close after ten idle seconds. */
const KEPT_OPEN = 3;

/**
 * Set explicitly, because a server's default may differ. After waiting for a lock, a transaction must see what others
 * have written.
 */
const BEGIN = "begin isolation level read committed";
/**
 * Limits that the server enforces on a transaction, so that a process that hangs does not keep the others from their
 * locks for longer. They are sent in the same message as `begin`, so they cannot fail separately. Unlike settings in
 * the connection's first message, they pass through a pooler such as PgBouncer.
 */
const BEGIN_LIMITED = `${BEGIN}; set local lock_timeout = '10s'; set local statement_timeout = '15s'; set local idle_in_transaction_session_timeout = '15s'`;

interface Timeouts {
  /** For getting a connection, including the wait for a free one in the pool. */
  readonly connectMs: number;
  /** For an answer. The server's own limits do not help if it is frozen or unreachable. */
  readonly queryMs: number | undefined;
}

const TIMEOUTS: Timeouts = { connectMs: 5_000, queryMs: 20_000 };

/** Arbitrary numbers that no other program may use on the same database. */
const LOCK_KEYS: Readonly<Record<LockName, number>> = {
  migrate: 73_501,
  spend: 73_502,
  write: 73_503,
};

/** The beginning of a statement that is sent together with the next one, as `begin` is. */
const LOCK = "select pg_advisory_xact_lock";
const lockStatement = (name: LockName) => sql.raw(`${LOCK}(${LOCK_KEYS[name]})`);

/** Marks a statement that is sent together with the commit. */
const WITH_COMMIT = "/* last */ ";

const FETCHED_AT_ONCE = 200;

const INT8 = 20;
const NUMERIC = 1_700;

/**
 * Connects once to check the server. Throws a ConfigError if the server can never be used, and a ServiceError
 * `storage`/`unavailable` if it cannot be reached now. Neither contains the password.
 */
export async function openPostgres(
  options: Omit<EngineOptions, "exclusive"> & {
    /** Default: 5 s for a connection and 20 s for an answer. */
    readonly timeouts?: Timeouts;
  },
): Promise<Engine> {
  const { url, clock, log, databaseNow, meter, intercept, timeouts = TIMEOUTS } = options;
  const address = readPostgresUrl(url);
  const pool = createPool(address, timeouts, log);
  try {
    await checkServer(pool, timeouts, log);
  } catch (error) {
    await pool.end();
    throw error;
  }
  meter?.gauges(() => ({
    database_connections: [
      [{ state: "in_use" }, pool.totalCount - pool.idleCount],
      [{ state: "idle" }, pool.idleCount],
    ],
    database_waiting: pool.waitingCount,
  }));
  const checkClock = createClockCheck({ clock, log });
  const now = () =>
    databaseNow === undefined
      ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::int8`
      : sql<number>`${databaseNow()}::int8`;

  /** Takes the lock first, so that the time is read after any wait for it. */
  async function readNow(queries: Queries, locked = sql.raw("select 1")): Promise<number> {
    const askedAtMs = clock.now();
    const { rows } = await sql<{
      readonly now: number;
    }>`with locked as materialized (${locked}) select ${now()} as now from locked`.execute(queries);
    const nowMs = rows[0]?.now ?? askedAtMs;
    checkClock.note(nowMs, askedAtMs);
    return nowMs;
  }

  const queries = createQueries(pool, timeouts, intercept);
  return {
    queries,
    now,
    readNow: () => readNow(queries),
    checkClock(read) {
      if (read !== undefined) {
        checkClock.note(read.nowMs, read.askedAtMs);
      }
      checkClock.throwIfWrong();
    },
    lock: (transaction, name) => readNow(transaction, lockStatement(name)),
    async lockWithNext(transaction, name) {
      await lockStatement(name).execute(transaction);
    },
    async writeWithCommit(transaction, write) {
      const { sql: text, parameters } = write.compile();
      await transaction.executeQuery(CompiledQuery.raw(WITH_COMMIT + text, [...parameters]));
    },
    async unlimited(work) {
      const forever = { ...timeouts, queryMs: undefined };
      const unlimited = createQueries(createPool({ ...address, poolSize: 1 }, forever, log), forever);
      try {
        return await work(unlimited);
      } finally {
        await unlimited.destroy();
      }
    },
    async hasTable(name) {
      const { rows } = await sql<{
        readonly found: string | null;
      }>`select to_regclass(${name})::text as found`.execute(queries);
      return typeof rows[0]?.found === "string";
    },
    async *rows(transaction, table) {
      await sql`declare copied no scroll cursor for select * from ${sql.table(table)}`.execute(transaction);
      for (let count = FETCHED_AT_ONCE; count === FETCHED_AT_ONCE;) {
        const { rows } = await sql<AnyRow>`fetch ${sql.lit(FETCHED_AT_ONCE)} from copied`.execute(
          transaction,
        );
        yield* rows;
        count = rows.length;
      }
      await sql`close copied`.execute(transaction);
    },
    isDuplicate: (error, { name }) =>
      error instanceof DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === name,
  };
}

function createPool({ connection, poolSize }: PostgresAddress, { connectMs }: Timeouts, log: Log): Pool {
  const pool = new Pool({
    ...connection,
    max: poolSize,
    min: Math.min(KEPT_OPEN, poolSize),
    // Several statements may be sent together on a connection: `begin` and the next one.
    pipeline: true,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: "signalbox",
    // Milliseconds and sums stay far below 2^53, so they need not be strings as the library returns them.
    types: {
      getTypeParser: (oid: number) =>
        oid === INT8 || oid === NUMERIC ? Number : pgTypes.getTypeParser(oid, "text"),
    },
  });
  // Without its own listener, a connection that breaks while it is in use would end the process.
  pool.on("connect", (client) => {
    client.on("error", (error) => log.warn({ reason: reasonOf(error) }, "database connection lost"));
  });
  // Without it, an idle connection that breaks would end the process. The listener above has already logged it.
  pool.on("error", () => undefined);
  return pool;
}

/** The result of a statement that has not been sent yet. */
const NOTHING = { command: "", rowCount: 0, rows: [] };

function createQueries(pool: Pool, timeouts: Timeouts, intercept?: Intercept): Queries {
  const open = () => pool.connect().catch((cause: unknown) => Promise.reject(unavailable(cause)));
  return new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: {
        options: pool.options,
        connect: async () => wrapClient(await open(), timeouts),
        end: () => pool.end(),
      },
      ...(intercept && { onCreateConnection: interceptWith(intercept) }),
    }),
  });
}

/**
 * Wraps a connection for one use. After a failure that is about the server and not about the query, nothing more is
 * sent on it, because an answer may still be on its way; the pool closes it instead of reusing it. To save a round
 * trip, `begin`, a lock without a result and a last write are sent together with the next statement. If one of them
 * fails, that statement fails too; PostgreSQL then turns a commit into a rollback.
 */
function wrapClient(client: PoolClient, { queryMs }: Timeouts): PostgresPoolClient {
  let broken: ServiceError | undefined;
  let opening: string | undefined;
  let last: Parameters<typeof send> | undefined;

  async function send(text: string, values: readonly unknown[] = []): Promise<unknown> {
    try {
      return await client.query({
        text,
        values: [...values],
        ...(queryMs !== undefined && { query_timeout: queryMs }),
      });
    } catch (error) {
      const explained = explain(error);
      if (explained instanceof ServiceError) {
        broken = explained;
      }
      throw explained;
    }
  }

  async function query(text: string, values: readonly unknown[]): Promise<unknown> {
    if (broken !== undefined) {
      throw broken;
    }
    if (text === "begin") {
      opening = queryMs === undefined ? BEGIN : BEGIN_LIMITED;
      return NOTHING;
    }
    if (opening !== undefined && text.startsWith(LOCK)) {
      opening = `${opening}; ${text}`;
      return NOTHING;
    }
    if (text.startsWith(WITH_COMMIT)) {
      last = [text, values];
      return NOTHING;
    }
    const [first, written] = [opening, text === "rollback" ? undefined : last];
    opening = undefined;
    last = undefined;
    if (first !== undefined && written === undefined && (text === "commit" || text === "rollback")) {
      return NOTHING;
    }
    const before = [...(first === undefined ? [] : [send(first)]), ...(written ? [send(...written)] : [])];
    const [answer] = await Promise.all([send(text, values), ...before]);
    return answer;
  }

  return {
    // The library declares one function for text and for cursors, which are not used here.
    query: query as PostgresPoolClient["query"],
    release: () => client.release(broken !== undefined),
  };
}

/** Those that store any character. SQL_ASCII stores bytes as they come. */
const ENCODINGS: ReadonlySet<string> = new Set(["UTF8", "SQL_ASCII"]);

/** https://www.postgresql.org/docs/current/runtime-config-wal.html#GUC-SYNCHRONOUS-COMMIT */
async function checkServer(pool: Pool, { queryMs }: Timeouts, log: Log): Promise<void> {
  try {
    const question = {
      text: "select pg_is_in_recovery() as standby, current_setting('synchronous_commit') as commit, current_setting('server_encoding') as encoding, to_regclass('migrations') is null as empty",
      // A pooler may accept the connection even though its server is down.
      query_timeout: queryMs,
    };
    const { rows } = await pool.query<{
      readonly standby: boolean;
      readonly commit: string;
      readonly encoding: string;
      readonly empty: boolean;
    }>(question);
    const [found] = rows;
    if (found?.standby === true) {
      throw new ConfigError(
        ["DATABASE_URL names a standby server, which cannot be written to. Name the primary server."],
        // The standby may be about to become the primary.
        { isTransient: true },
      );
    }
    if (found !== undefined && !ENCODINGS.has(found.encoding)) {
      const sentence = `DATABASE_URL names a database with the encoding ${found.encoding}, which cannot store every character that members write. Create one with the encoding UTF8`;
      if (found.empty) {
        throw new ConfigError([`${sentence}.`]);
      }
      // One in use can still be backed up and moved.
      log.warn({}, `${sentence}, and move the content there with \`npm run move\`.`);
    }
    if (found?.commit === "off") {
      log.warn({}, "synchronous_commit is off: a server crash may duplicate messages");
    }
  } catch (error) {
    throw explainOpening(error);
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  "28P01": "refuses the password in DATABASE_URL. Check user and password.",
  "28000": "refuses the user in DATABASE_URL. Check the user, and whether the server asks for TLS (sslmode).",
  "3D000": "has no database of the name in DATABASE_URL. Create it, or check the name.",
  "42501": "does not let the user in DATABASE_URL use the database. Grant it CONNECT and the schema's USAGE.",
};

/** TLS failures have OpenSSL's codes, e.g. `SELF_SIGNED_CERT_IN_CHAIN`, or no code at all. */
const TLS_FAILURES = /CERT|SIGNATURE|SSL|TLS|ALTNAME/;
/** They end without a new setting: once somebody renews the certificate, or once this machine's clock is right. */
const TRANSIENT_TLS_FAILURES = /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/;

function explainOpening(error: unknown): Error {
  if (error instanceof ConfigError) {
    return error;
  }
  const reason = reasonOf(error);
  const refusal = REFUSALS[reason];
  if (refusal !== undefined) {
    return new ConfigError([`The PostgreSQL server ${refusal} (${reason})`]);
  }
  if (TRANSIENT_TLS_FAILURES.test(reason)) {
    return unavailable(error);
  }
  const isTls = TLS_FAILURES.test(reason) || (error instanceof Error && /\bSSL\b/.test(error.message));
  return isTls
    ? new ConfigError([
        `The connection to the PostgreSQL server cannot be encrypted as DATABASE_URL asks (${reason}). Check sslmode and sslrootcert.`,
      ])
    : unavailable(error);
}

/**
 * Classes of SQLSTATE that are about the server and not about the query: connections, a lock that took too long,
 * resources, an administrator's actions, a server that has become a standby, a transaction that the server ended because
 * it conflicted with another one or took too long.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const SERVER_FAILURES = /^(?:08|40|53|55|57|58|25006|25P0[34])/;
/** No SQLSTATE begins with E, but the operating system's error codes do, e.g. `EPIPE`. */
const SQLSTATE = /^[0-9A-DF-Z][0-9A-Z]{4}$/;
const DISK_FULL = "53100";
const UNIQUE_VIOLATION = "23505";

/** Network failures have a code of the system, such as `ECONNRESET`, or none. */
function explain(cause: unknown): unknown {
  const code = reasonOf(cause);
  return SQLSTATE.test(code) && !SERVER_FAILURES.test(code) ? cause : unavailable(cause);
}

function unavailable(cause: unknown): ServiceError {
  const code = reasonOf(cause);
  const reason = code === DISK_FULL ? "disk full" : undefined;
  return new ServiceError("storage", "unavailable", reason ?? code, { reason, cause });
}

/** Returns only the code, e.g. `ECONNREFUSED`, `28P01`, because messages may contain user names and addresses. */
function reasonOf(error: unknown): string {
  return codeOf(error) ?? "no answer";
}

// Checks whether this machine's clock agrees with the database's. Processes on one database share leases and a plan, so
// a process whose clock is wrong must neither run jobs nor make paid calls.

function createClockCheck({ clock, log }: { readonly clock: Pick<Clock, "now">; readonly log: Log }) {
  let isWrong = false;
  return {
    /** Compares a time from the database, which was asked for at `askedAtMs` of this machine's clock. */
    note(databaseMs: number, askedAtMs: number): void {
      const answeredAtMs = clock.now();
      // The database read its time between the question and the answer.
      const aheadMs = Math.min(askedAtMs, answeredAtMs) - databaseMs;
      const behindMs = databaseMs - Math.max(askedAtMs, answeredAtMs);
      const wasWrong = isWrong;
      isWrong = Math.max(aheadMs, behindMs) > CLOCK_TOLERANCE_MS;
      if (isWrong && !wasWrong) {
        const differenceMs = aheadMs > behindMs ? aheadMs : -behindMs;
        log.error({ differenceMs }, "this machine's clock differs from the database's");
      } else if (wasWrong && !isWrong) {
        log.info({}, "this machine's clock agrees with the database's again");
      }
    },
    /** Throws a ServiceError `storage`/`unavailable` if the last comparison exceeded the tolerance. */
    throwIfWrong(): void {
      if (isWrong) {
        throw new ServiceError("storage", "unavailable", "this machine's clock differs from the database's");
      }
    },
  };
}

// Opening a PostgreSQL database: encryption, rights, settings, and a pooler in between.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, mkdtempDisposable, readFile, rm, writeFile } from "node:fs/promises";
import { userInfo, tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createSandboxClock } from "../../sandbox/clock/clock.ts";
import { systemClock } from "../../src/core/clock.ts";
import { ConfigError, ServiceError } from "../../src/core/errors.ts";
import { collectLog } from "../support/collect-log.ts";
import { type Database, openDatabase } from "../../src/database.ts";
import { examineDatabase } from "../../src/storage/examine-database.ts";
import { createMetrics } from "../../src/operations/metrics.ts";
import { openEngine } from "../../src/storage/open-engine.ts";
import { readPostgresUrl } from "../../src/storage/postgres-url.ts";
import { findPostgres } from "../support/databases.ts";
import { freePort } from "../support/free-port.ts";
import { startPostgres, type PostgresProcess } from "../support/postgres-process.ts";
import { boardRecord, claimOf } from "../boards/board-record.ts";

const { missing } = await findPostgres();

function hasProgram(name: string): boolean {
  try {
    execFileSync("which", [name]);
    return true;
  } catch {
    process.stdout.write(`skipped: tests that need ${name}, which is not installed\n`);
    return false;
  }
}

async function ask(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) {
    await client.query(statement);
  }
  await client.end();
}

describe("DATABASE_URL", () => {
  it.each([
    ["postgres://h/d?pool_size=0", /pool_size=0\. Give a whole number from 1 to 100/],
    ["postgres://h/d?pool_size=many", /pool_size=many/],
    ["postgres://h/d?sslmode=prefer", /sslmode=prefer\. Use one of disable, require/],
    ["postgres://h/d?sslmode=verify-ca", /sslmode=verify-ca without sslrootcert/],
    ["postgres://h/d?sslrootcert=/none.crt", /sslrootcert=\/none\.crt, which cannot be read/],
    ["postgres://h/d?sslcert=/tmp", /sslcert=\/tmp, which cannot be read/],
  ])("is refused with a clear error: %s", (url, sentence) => {
    expect(() => readPostgresUrl(url)).toThrow(ConfigError);
    expect(() => readPostgresUrl(url)).toThrow(sentence);
  });

  it("sets the size of the pool, and its unknown parameters are passed on", () => {
    const { connection, poolSize } = readPostgresUrl(
      "postgres://me:p%40ss@h:1/d?pool_size=12&options=-c%20a%3Db",
    );
    expect(poolSize).toBe(12);
    expect(connection).toEqual({
      user: "me",
      password: "p@ss",
      host: "h",
      port: 1,
      database: "d",
      options: "-c a=b",
    });
    expect(readPostgresUrl("postgres://h/d").poolSize).toBe(5);
  });

  it("has its certificates read once, so that a new connection needs no file", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "signalbox-certificates-"));
    const file = join(folder.path, "ca.crt");
    await writeFile(file, "a certificate");
    const { connection } = readPostgresUrl(`postgres://h/d?sslmode=verify-full&sslrootcert=${file}`);
    await rm(file);
    expect(new Client(connection)).toMatchObject({ ssl: { ca: "a certificate" } });
  });
});

describe.skipIf(missing !== undefined)("a PostgreSQL server", () => {
  // The tests change this server's settings, so they do not share it with others.
  let server: PostgresProcess;
  let address: string;

  beforeAll(async () => {
    server = await startPostgres();
    address = `${server.url}/postgres`;
  });
  afterAll(() => server?.stop());

  async function open(url: string, log = collectLog().log) {
    const database = await openDatabase({ url, clock: systemClock, log });
    onTestFinished(() => database.close());
    return database;
  }

  /** The URL of the same server for another role. */
  function as(role: string, database = "postgres"): string {
    const url = new URL(server.url);
    url.username = role;
    url.password = "a-password";
    return `${url.href}/${database}`.replace("//" + database, "/" + database);
  }

  it("can be used by a role that may not create anything, after the owner has run the migrations", async () => {
    await ask(
      address,
      "create database rights",
      "create role owner login password 'a-password'",
      "create role worker login password 'a-password'",
      "grant create, connect on database rights to owner",
    );
    await ask(`${server.url}/rights`, "grant create, usage on schema public to owner");
    // Only the owner can migrate an empty database.
    await expect(open(as("worker", "rights"))).rejects.toThrow(/^DATABASE_URL .*npm run migrate/);
    const looking = { url: as("worker", "rights"), clock: systemClock, log: collectLog().log };
    expect(await examineDatabase(looking)).toMatchObject({ version: 0, missingRights: ["CREATE"] });
    const env = { PATH: process.env["PATH"], DATABASE_URL: as("owner", "rights") };
    execFileSync(process.execPath, ["src/migrate.ts"], { env, stdio: "pipe" });
    await expect(open(as("worker", "rights"))).rejects.toThrow(/^DATABASE_URL names a user who may not read/);
    const grant = (rights: string) =>
      ask(as("owner", "rights"), `grant ${rights} on all tables in schema public to worker`);
    await grant("select, update");
    expect(await examineDatabase(looking)).toMatchObject({ missingRights: ["INSERT", "DELETE"] });
    await grant("select, insert, update, delete");
    expect(await examineDatabase(looking)).toMatchObject({
      product: expect.stringMatching(/^PostgreSQL \d+\.\d+$/),
      missingRights: [],
      encryption: undefined,
    });
    const { leftGuilds } = await open(as("worker", "rights"));
    expect(await leftGuilds.add("1", 1_000)).toBe(true);
  });

  it.each([
    ["a wrong password", () => address.replace(/:[^:@]+@/, ":wrong@"), /refuses the password.*28P01/],
    ["a database that is not there", () => `${server.url}/none`, /has no database of the name.*3D000/],
  ])("refuses %s permanently, in an error without the password", async (_what, url, sentence) => {
    const opening = open(url());
    await expect(opening).rejects.toThrow(ConfigError);
    await expect(opening).rejects.toThrow(sentence);
    await expect(opening).rejects.not.toThrow(/wrong@/);
  });

  it("refuses a schema that is not there, as the doctor does", async () => {
    const url = `${address}?options=-c%20search_path%3Dnowhere`;
    const sentence = /^DATABASE_URL names a schema that does not exist/;
    await expect(open(url)).rejects.toThrow(sentence);
    const looking = examineDatabase({ url, clock: systemClock, log: collectLog().log });
    await expect(looking).rejects.toThrow(sentence);
  });

  it("refuses an empty database whose encoding has no emoji, and warns of one in use", async () => {
    await ask(address, "create database latin encoding 'LATIN1' locale 'C' template template0");
    const url = `${server.url}/latin`;
    const opening = open(url);
    await expect(opening).rejects.toThrow(ConfigError);
    await expect(opening).rejects.toThrow(/encoding LATIN1.*encoding UTF8/);
    await ask(url, "create table migrations (version integer not null, at bigint not null)");
    const { log, lines } = collectLog();
    await open(url, log);
    expect(lines.join()).toMatch(/encoding LATIN1.*npm run move/);
  });

  it("is used with a warning if synchronous_commit is off", async () => {
    await server.set({ synchronous_commit: "off" });
    const { log, lines } = collectLog();
    await open(address, log);
    expect(lines.join()).toContain("synchronous_commit is off");
    await server.set({});
    const quiet = collectLog();
    await open(address, quiet.log);
    expect(quiet.lines.join()).not.toContain("synchronous_commit");
  });

  /** Makes 20 calls at once, and returns how many of them a plan of `limit` calls allowed. */
  async function takeAtOnce({ spending }: Database, limit: number): Promise<number> {
    const spend = {
      service: "transport",
      windowMs: 60_000,
      limit,
      weight: 1,
      purpose: "person",
      stepMs: 1,
      floors: { person: 0, board: 0 },
      leave: 0,
    } as const;
    const results = await Promise.all(Array.from({ length: 20 }, () => spending.take(spend)));
    return results.filter(({ taken }) => taken).length;
  }

  it("allows no more calls than the plan does, whatever its default isolation level", async () => {
    await ask(
      address,
      "create database isolated",
      "alter database isolated set default_transaction_isolation = 'repeatable read'",
    );
    expect(await takeAtOnce(await open(`${server.url}/isolated`), 7)).toBe(7);
  });

  it("is migrated by one process while another waits without limit and logs that it waits", async () => {
    await ask(address, "create database busy");
    const url = `${server.url}/busy`;
    const holder = new Client({ connectionString: url });
    await holder.connect();
    await holder.query("begin; select pg_advisory_xact_lock(73501)");
    const clock = createSandboxClock({ atMs: 0, mode: "still" });
    const { log, lines } = collectLog();
    const opening = openDatabase({ url, clock, log, databaseNow: () => clock.now() });
    await expect.poll(() => isWaiting(url)).toBe(true);
    await clock.advance(10 * 60_000);
    expect(lines.filter((line) => line.includes("start waits for the database's migration"))).toHaveLength(
      60,
    );
    await holder.query("commit");
    await holder.end();
    await (await opening).close();
    expect(lines.join()).toContain("database migrated");
  });

  async function isWaiting(url: string): Promise<boolean> {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rowCount } = await client.query(
      "select 1 from pg_locks where locktype = 'advisory' and not granted",
    );
    await client.end();
    return rowCount === 1;
  }

  it("limits the waits of a transaction, but not of a migration", async () => {
    const engine = await openEngine({ url: address, clock: systemClock, log: collectLog().log });
    onTestFinished(() => engine.queries.destroy());
    const shown = sql<{ name: string; setting: string }>`
      select name, setting from pg_settings
      where name in ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout') order by name`;
    const settings = async (queries: typeof engine.queries) =>
      queries.transaction().execute(async (transaction) => {
        const { rows } = await shown.execute(transaction);
        return rows.map(({ setting }) => setting);
      });
    expect(await settings(engine.queries)).toEqual(["15000", "10000", "15000"]);
    expect(await engine.unlimited(settings)).toEqual(["0", "0", "0"]);
  });

  it("has metrics of its connections, the duration of statements and failures", async () => {
    const { meter, read } = createMetrics();
    let isBroken = false;
    const engine = await openEngine({
      url: `${address}?pool_size=1`,
      clock: systemClock,
      log: collectLog().log,
      meter,
      intercept: (_, run) =>
        isBroken ? Promise.reject(new ServiceError("storage", "unavailable", "cut off")) : run(),
    });
    onTestFinished(() => engine.queries.destroy());
    const query = () => sql`select 1`.execute(engine.queries);
    let waiting: Promise<unknown> | undefined;
    await engine.queries.connection().execute(async () => {
      waiting = query();
      await expect.poll(async () => (await read()).text).toMatch(/^signalbox_database_waiting 1$/m);
      expect((await read()).text).toMatch(/^signalbox_database_connections\{state="in_use"\} 1$/m);
    });
    await waiting;
    isBroken = true;
    await expect(query()).rejects.toThrow("cut off");
    const { text } = await read();
    expect(text).toMatch(/^signalbox_database_connections\{state="idle"\} 1$/m);
    expect(text).toMatch(/^signalbox_database_failures_total 1$/m);
    expect(text).toMatch(/^signalbox_database_statement_duration_seconds_count 2$/m);
  });

  describe.skipIf(!hasProgram("openssl"))("with certificates", () => {
    let folder: string;
    const file = (name: string) => join(folder, name);

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "signalbox-certificates-"));
      const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
      const run = (...args: readonly string[]) =>
        execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
      for (const name of ["ca", "other"]) {
        run("req", "-x509", ...key, "-keyout", `${name}.key`, "-out", `${name}.crt`, "-subj", `/CN=${name}`);
      }
      run("req", ...key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=database.example.org");
      await writeFile(file("names"), "subjectAltName=DNS:database.example.org,IP:127.0.0.1");
      const signed = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2"];
      run("x509", "-req", "-in", "server.csr", ...signed, "-extfile", "names", "-out", "server.crt");
      const put = async (name: string) => server.addFile(name, await readFile(file(name), "utf8"));
      await server.set({
        ssl: "on",
        ssl_cert_file: await put("server.crt"),
        ssl_key_file: await put("server.key"),
      });
    });
    afterAll(async () => {
      await server.set({});
      await rm(folder, { recursive: true, force: true });
    });

    async function isEncrypted(parameters: string): Promise<boolean> {
      const engine = await openEngine({
        url: `${address}?${parameters}`,
        clock: systemClock,
        log: collectLog().log,
      });
      onTestFinished(() => engine.queries.destroy());
      const { rows } = await sql<{ ssl: boolean }>`
        select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(engine.queries);
      return rows[0]?.ssl === true;
    }

    it("is used without encryption by default, and with it if sslmode asks for it", async () => {
      expect(await isEncrypted("")).toBe(false);
      expect(await isEncrypted("sslmode=disable")).toBe(false);
      expect(await isEncrypted("sslmode=require")).toBe(true);
      expect(await isEncrypted(`sslmode=verify-ca&sslrootcert=${file("ca.crt")}`)).toBe(true);
      expect(await isEncrypted(`sslmode=verify-full&sslrootcert=${file("ca.crt")}`)).toBe(true);
      expect(await isEncrypted(`sslrootcert=${file("ca.crt")}`)).toBe(true);
    });

    it.each([
      "sslmode=verify-full",
      "sslmode=verify-ca&sslrootcert=other",
      "sslmode=require&sslrootcert=other",
    ])("is refused with a clear error if its certificate is not trusted: %s", async (parameters) => {
      const opening = isEncrypted(parameters.replace("=other", `=${file("other.crt")}`));
      await expect(opening).rejects.toThrow(ConfigError);
      await expect(opening).rejects.toThrow(/cannot be encrypted as DATABASE_URL asks .*Check sslmode/);
    });

    it("is waited for while a certificate has expired, or seems so because this machine's clock is wrong", async () => {
      const args = ["x509", "-in", "ca.crt", "-signkey", "ca.key", "-days", "-1", "-out", "old.crt"];
      execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
      await expect(isEncrypted(`sslmode=verify-ca&sslrootcert=${file("old.crt")}`)).rejects.toMatchObject({
        kind: "unavailable",
        message: "storage: unavailable: CERT_HAS_EXPIRED",
      });
    });
  });

  it("is refused if it has no certificate and encryption is required", async () => {
    await expect(open(`${address}?sslmode=require`)).rejects.toThrow(
      /cannot be encrypted as DATABASE_URL asks/,
    );
  });

  describe.skipIf(!hasProgram("pgbouncer"))("behind PgBouncer in transaction mode", () => {
    it("supports migrations, leases, claims and budgets", async () => {
      const folder = await mkdtemp(join(tmpdir(), "signalbox-pgbouncer-"));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      await chmod(folder, 0o777);
      const { port, password, username } = new URL(server.url);
      const listenPort = await freePort();
      await ask(address, "create database pooled");
      await writeFile(
        join(folder, "pgbouncer.ini"),
        `[databases]
pooled = host=127.0.0.1 port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
`,
      );
      const asUser = userInfo().uid === 0 ? ["-u", "nobody"] : [];
      const pooler = spawn("pgbouncer", [...asUser, join(folder, "pgbouncer.ini")], { stdio: "ignore" });
      onTestFinished(async () => {
        pooler.kill("SIGKILL");
        await once(pooler, "exit");
      });
      const url = `postgres://${username}@127.0.0.1:${listenPort}/pooled`;
      const opened = async () => open(url).catch(() => undefined);
      const database = await expect
        .poll(opened)
        .toBeDefined()
        .then(() => open(url));
      await database.boards.add(boardRecord());
      expect((await database.boards.claim([claimOf(boardRecord())], 3_000)).size).toBe(1);
      expect(await database.leases.take("jobs", "me", 1_000)).toBe(true);
      expect(await takeAtOnce(database, 7)).toBe(7);
    });
  });

  // This test is the last because the server remains a standby.
  it("is refused with a clear error if it is a standby", async () => {
    await server.becomeStandby();
    await expect(open(address)).rejects.toThrow(ConfigError);
    await expect(open(address)).rejects.toThrow(/names a standby server/);
  });
});

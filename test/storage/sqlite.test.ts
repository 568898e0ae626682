// SQLite on full, failing and damaged disks.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { ConfigError, ServiceError } from "../../src/core/errors.ts";
import { createLog } from "../../src/core/log.ts";
import { openDatabase } from "../../src/database.ts";
import { openEngine } from "../../src/storage/open-engine.ts";
import { migrate } from "../../src/storage/migrate.ts";
import type { Engine, Queries } from "../../src/storage/schema.ts";
import { explainOpening } from "../../src/storage/sqlite-errors.ts";
import { collectLog } from "../support/collect-log.ts";
import { mountSmallDisk } from "../support/small-disk.ts";

const WRITER = fileURLToPath(new URL("../support/writer.ts", import.meta.url));
/** Much longer than a page of the file. */
const LONG_TEXT = "x".repeat(100_000);

const log = createLog({ level: "silent", secrets: [] });

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-sqlite-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function openFile(file: string, itsLog = log): Promise<Engine> {
  const surroundings = { clock: systemClock, log: itsLog };
  const engine = await openEngine({ url: `sqlite:${file}`, exclusive: false, ...surroundings });
  onTestFinished(() => engine.queries.destroy());
  await migrate(engine, surroundings);
  return engine;
}

const addGuild = (queries: Queries, guildId: string) =>
  queries.insertInto("leftGuilds").values({ guildId, leftAt: 1_000 }).execute();

const addPicture = (queries: Queries, key: string) =>
  queries
    .insertInto("stylePreviews")
    .values({ key, contentType: "image/png", width: 1, height: 1, picture: LONG_TEXT })
    .execute();

async function guildIds({ queries }: Engine): Promise<readonly string[]> {
  const rows = await queries.selectFrom("leftGuilds").select("guildId").orderBy("guildId").execute();
  return rows.map(({ guildId }) => guildId);
}

const failure = (reason: string) => ({
  name: "ServiceError",
  service: "storage",
  kind: "unavailable",
  reason,
  message: `storage: unavailable: ${reason}`,
});

describe("a full disk", () => {
  /** An engine whose file may not grow until `free` is called. */
  async function openFull() {
    const engine = await openFile(join(await createFolder(), "full.db"));
    // The limit cannot go below the present number of pages, so this allows no growth.
    await sql`pragma max_page_count = 1`.execute(engine.queries);
    const free = (queries: Queries = engine.queries) => sql`pragma max_page_count = 1000000`.execute(queries);
    return { engine, free };
  }

  it("is given as the reason of an error, and a transaction is rolled back", async () => {
    const { engine, free } = await openFull();
    const { queries } = engine;
    await expect(addPicture(queries, "alone")).rejects.toMatchObject(failure("disk full"));
    const writing = queries.transaction().execute(async (transaction) => {
      await addGuild(transaction, "1");
      await addPicture(transaction, "inside");
    });
    await expect(writing).rejects.toMatchObject({
      ...failure("disk full"),
      cause: { message: "database or disk is full" },
    });
    expect(await guildIds(engine)).toEqual([]);

    await free();
    await queries.transaction().execute(async (transaction) => {
      await addGuild(transaction, "2");
      await addPicture(transaction, "inside");
    });
    expect(await guildIds(engine)).toEqual(["2"]);
  });

  it("ends the transaction even if its caller continues after the failure", async () => {
    const { engine, free } = await openFull();
    const writing = engine.queries.transaction().execute(async (transaction) => {
      await addGuild(transaction, "1");
      await addPicture(transaction, "inside").catch(() => undefined);
      await free(transaction);
      await addGuild(transaction, "2");
    });
    await expect(writing).rejects.toMatchObject(failure("disk full"));
    expect(await guildIds(engine)).toEqual([]);
    await free();
    await addGuild(engine.queries, "3");
    expect(await guildIds(engine)).toEqual(["3"]);
  });

  it("does no harm on a real disk, and writes succeed as soon as there is space", async ({ skip }) => {
    await using disk = await mountSmallDisk(await createFolder());
    if (disk === undefined) {
      skip("this user may not mount a disk");
      return;
    }
    const engine = await openFile(join(disk.folder, "small.db"));
    await addGuild(engine.queries, "1");
    await disk.fill();
    const write = () =>
      engine.queries.transaction().execute(async (transaction) => {
        await addGuild(transaction, "2");
        await addPicture(transaction, "inside");
      });
    for (let time = 0; time < 3; time += 1) {
      await expect(write()).rejects.toMatchObject(failure("disk full"));
    }
    expect(await guildIds(engine)).toEqual(["1"]);
    await disk.free();
    await write();
    expect(await guildIds(engine)).toEqual(["1", "2"]);
  });
});

it("opening a folder fails with an error that says what to name instead", async () => {
  const folder = await createFolder();
  const backup = openEngine({ url: `sqlite:${folder}`, clock: systemClock, log, readOnly: true });
  await expect(backup).rejects.toThrow(`There is no file ${folder}.`);
  const opening = openDatabase({ url: `sqlite:${folder}`, clock: systemClock, log });
  await expect(opening).rejects.toThrow(
    `DATABASE_URL names a folder: ${folder}. Name a file in it, e.g. sqlite:${join(folder, "signalbox.db")}.`,
  );
});

it("a file can be backed up from a disk that has become read-only, on which SQLite can create no log", async () => {
  const file = join(await createFolder(), "signalbox.db");
  const engine = await openFile(file);
  await addGuild(engine.queries, "1");
  await engine.queries.destroy();
  await mkdir(`${file}-wal`);
  const read = await openEngine({ url: `sqlite:${file}`, clock: systemClock, log, readOnly: true });
  expect(await guildIds(read)).toEqual(["1"]);
  await read.queries.destroy();
});

it("the error for an unreadable backup says who needs access to it", () => {
  const refused = Object.assign(new Error("unable to open database file"), { errcode: 14 });
  expect(explainOpening("/root/a-backup.db", refused, true).message).toBe(
    "There is no access to /root/a-backup.db. Let the user that runs this read it.",
  );
});

describe("a full disk at start", () => {
  it("is reported with a clear error, for a new file and for an existing one", async ({ skip }) => {
    await using disk = await mountSmallDisk(await createFolder());
    if (disk === undefined) {
      skip("this user may not mount a disk");
      return;
    }
    const file = join(disk.folder, "small.db");
    const opening = () => openDatabase({ url: `sqlite:${file}`, clock: systemClock, log });
    await disk.fill();
    await expect(opening()).rejects.toThrow(/^DATABASE_URL names a file on a full disk: .*\.$/);
    await disk.free();
    await (await opening()).close();
    await disk.fill();
    await expect(opening()).rejects.toThrow(/^DATABASE_URL names a file on a full disk: .*\.$/);
  });
});

it("a new database file is readable only for its owner, and an existing one keeps its permissions", async () => {
  const folder = await createFolder();
  const start = async () => {
    const database = await openDatabase({ url: `sqlite:${join(folder, "new.db")}`, clock: systemClock, log });
    onTestFinished(() => database.close());
    const names = (await readdir(folder)).toSorted();
    const modes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mode & 0o777));
    await database.close();
    return Object.fromEntries(names.map((name, index) => [name, modes[index]]));
  };
  expect(await start()).toEqual({
    "new.db": 0o600,
    "new.db-lock": 0o600,
    "new.db-shm": 0o600,
    "new.db-wal": 0o600,
  });
  await chmod(join(folder, "new.db"), 0o640);
  expect(await start()).toMatchObject({ "new.db": 0o640, "new.db-lock": 0o600 });
});

describe("a damaged file", () => {
  const PAGE_BYTES = 4_096;

  /** Writes nonsense over a file from this page on. */
  async function damage(file: string, firstPage: number): Promise<void> {
    const handle = await open(file, "r+");
    const { size } = await handle.stat();
    const from = firstPage * PAGE_BYTES;
    expect(size).toBeGreaterThan(from);
    await handle.write(Buffer.alloc(size - from, 0xa5), 0, undefined, from);
    await handle.close();
  }

  // The first page begins with the header of a database. The schema is on the next pages, the picture on the last.
  it.each([
    [0, "file that is damaged or is not a database"],
    [1, "damaged database"],
    [40, "damaged database"],
  ])("is refused at start with a clear error (from page %d: a %s)", async (firstPage, what) => {
    const file = join(await createFolder(), "damaged.db");
    const engine = await openFile(file);
    await addPicture(engine.queries, "1");
    await engine.queries.destroy();
    await damage(file, firstPage);
    const opening = openDatabase({ url: `sqlite:${file}`, clock: systemClock, log });
    await expect(opening).rejects.toThrow(ConfigError);
    await expect(opening).rejects.toThrow(
      new RegExp(`^DATABASE_URL names a ${what}: ${file}\\. Restore a backup[^\\n]*\\.$`),
    );
  });

  it("is logged with what to do if the damage is found later", async () => {
    const file = join(await createFolder(), "damaged.db");
    const warnings = collectLog("warn");
    const engine = await openFile(file, warnings.log);
    await addPicture(engine.queries, "1");
    // Afterwards everything is in the file and nothing in memory.
    await sql`pragma wal_checkpoint(truncate)`.execute(engine.queries);
    await sql`pragma shrink_memory`.execute(engine.queries);
    await damage(file, 40);
    const read = () => engine.queries.selectFrom("stylePreviews").selectAll().execute();
    await expect(read()).rejects.toMatchObject(failure("damaged"));
    await expect(read()).rejects.toMatchObject(failure("damaged"));
    expect(warnings.lines.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: "error", msg: "database damaged, restore a backup", file }),
    ]);
  });
});

describe("a disk that fails", () => {
  /** The error of a process that writes until it fails, with files limited to `blocks` of 512 bytes. */
  async function writeUpTo(blocks: number): Promise<unknown> {
    const child = spawn("sh", ["-c", `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath, WRITER], {
      cwd: await createFolder(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [written] = await Promise.all([text(child.stdout), once(child, "exit")]);
    return JSON.parse(written);
  }

  it("is given as the reason of an error", async () => {
    expect(await writeUpTo(1_024)).toMatchObject(failure("i/o error"));
  });

  it("is reported with a clear error at start", async () => {
    for (const blocks of [8, 96]) {
      expect(await writeUpTo(blocks)).toMatchObject({
        name: "ConfigError",
        message: expect.stringMatching(/^DATABASE_URL names a [^\n]*(disk|i\/o error)[^\n]*\.$/),
      });
    }
  });

  it("is given as the reason of an error if a file has become read-only", async () => {
    const engine = await openFile(join(await createFolder(), "read-only.db"));
    await sql`pragma query_only = 1`.execute(engine.queries);
    const writing = engine.queries.transaction().execute((transaction) => addGuild(transaction, "1"));
    await expect(writing).rejects.toMatchObject(failure("read-only"));
    await expect(writing).rejects.toThrow(ServiceError);
    await sql`pragma query_only = 0`.execute(engine.queries);
    await addGuild(engine.queries, "2");
    expect(await guildIds(engine)).toEqual(["2"]);
  });
});

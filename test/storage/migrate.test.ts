import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sql } from "kysely";
import { systemClock } from "../../src/core/clock.ts";
import { ConfigError } from "../../src/core/errors.ts";
import { createLog } from "../../src/core/log.ts";
import { openDatabase } from "../../src/database.ts";
import { openEngine } from "../../src/storage/open-engine.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { MIGRATIONS, type Migration } from "../../src/storage/migrations.ts";
import type { Engine } from "../../src/storage/schema.ts";
import { PUBLICATION_STATES, type PublicationRecord } from "../../src/videos/publications-table.ts";
import { toRow, type Row } from "../../src/storage/row.ts";
import { findDatabases, type DatabaseKind } from "../support/databases.ts";
import { createDatabaseWithoutTables } from "../open.ts";
import { publicationRecord } from "../videos/video-rows.ts";

const log = createLog({ level: "silent", secrets: [] });
const surroundings = { clock: systemClock, log };
const open = (url: string) => openDatabase({ url, ...surroundings });

async function engineFor(url: string) {
  const engine = await openEngine({ url, ...surroundings, exclusive: false });
  onTestFinished(() => engine.queries.destroy());
  return engine;
}

/** Columns of publications that the eighth migration or a later one added. */
const CONTROLS = ["stopReason", "troubleSinceMs", "tries", "notBeforeMs", "approvalAskedAtMs"];

/** A row as it was before the eighth migration; `without` names more columns to omit. */
function olderRow(row: Partial<PublicationRecord>, without: readonly string[] = []): Row<PublicationRecord> {
  const entries = Object.entries(toRow(publicationRecord(row)));
  const older = entries.filter(([name]) => ![...CONTROLS, ...without].includes(name));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an older schema's
  return Object.fromEntries(older) as unknown as Row<PublicationRecord>;
}

async function indexesOf({ queries }: Engine, { name }: DatabaseKind): Promise<readonly string[]> {
  const { rows } = await (
    name === "sqlite"
      ? sql<{ name: string }>`select name from sqlite_master where type = 'index'`
      : sql<{ name: string }>`select indexname as name from pg_indexes`
  ).execute(queries);
  return rows.map((row) => row.name);
}

/** A migration that a later program may have. */
const further: Migration = async (schema) => {
  await schema.createTable("further").addColumn("note", "text").execute();
};

function describeMigrations(kind: DatabaseKind): void {
  describe.skipIf(kind.missing !== undefined)(`migrations on ${kind.name}`, () => {
    it("run once each, in order, and keep the data", async () => {
      const url = await createDatabaseWithoutTables(kind);
      const first = await open(url);
      await first.leftGuilds.add("1", 1_000);
      await first.close();
      await migrate(await engineFor(url), surroundings, [...MIGRATIONS, further]);
      const engine = await engineFor(url);
      await migrate(engine, surroundings, [...MIGRATIONS, further]);
      const tables = (await engine.queries.introspection.getTables()).map(({ name }) => name);
      expect(tables).toEqual(expect.arrayContaining(["leftGuilds", "spending", "further"]));
      expect(await engine.queries.selectFrom("leftGuilds").selectAll().execute()).toEqual([
        { guildId: "1", leftAt: 1_000 },
      ]);
    });

    it("leave a video to one publication if two of its account had it", async () => {
      const engine = await engineFor(await createDatabaseWithoutTables(kind));
      await migrate(engine, surroundings, MIGRATIONS.slice(0, 5));
      const rows = [
        { id: "old", createdAtMs: 1_000 },
        { id: "new", createdAtMs: 2_000 },
        { id: "same", createdAtMs: 2_000, videoId: "6" },
        { id: "elsewhere", createdAtMs: 3_000, account: "page:7" as const },
      ];
      const older = rows.map((row) => olderRow({ videoId: "5", ...row }, ["claimToken"]));
      await engine.queries.insertInto("publications").values(older).execute();
      await migrate(engine, surroundings);
      const found = await engine.queries
        .selectFrom("publications")
        .select(["id", "videoId"])
        .orderBy("id")
        .execute();
      expect(found).toEqual([
        { id: "elsewhere", videoId: "5" },
        { id: "new", videoId: "5" },
        { id: "old", videoId: null },
        { id: "same", videoId: "6" },
      ]);
    });

    it("move the columns that control a publication out of its JSON, in every state", async () => {
      const engine = await engineFor(await createDatabaseWithoutTables(kind));
      await migrate(engine, surroundings, MIGRATIONS.slice(0, 7));
      const words = { of: "video", kind: "timeout", requestId: "Abc" } as const;
      const waiting = { problem: { ...words, mayRetry: true }, sinceMs: 5, tries: 2, notBeforeMs: 1e13 };
      const rows = PUBLICATION_STATES.flatMap((state) => [
        { id: `${state} plain`, state },
        { id: `${state} waiting`, state, problem: JSON.stringify(waiting) },
        { id: `${state} stopped`, state, problem: '{"isStopping":true}' },
        { id: `${state} left`, state, problem: JSON.stringify({ ...waiting, isStopping: "left" }) },
        { id: `${state} away`, state, problem: '{"away":"away"}' },
        { id: `${state} leaving`, state, problem: '{"away":"leaving","isStopping":true}' },
        { id: `${state} back`, state, problem: '{"away":"returning"}' },
        { id: `${state} unreadable`, state, problem: '{"isStopping":"erased"}' },
      ]);
      const older = rows.map((row) => olderRow({ nextAtMs: 7, pendingWrite: "finish", ...row }));
      await engine.queries.insertInto("publications").values(older).execute();
      const odd = { ...olderRow({ id: "odd" }), state: "halted", pendingWrite: "halved" };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- values that no program should have written
      await engine.queries
        .insertInto("publications")
        .values(odd as Row<PublicationRecord>)
        .execute();
      await migrate(engine, surroundings);
      const found = new Map(
        (await engine.queries.selectFrom("publications").selectAll().execute()).map((row) => [row.id, row]),
      );
      const free = { stopReason: null, troubleSinceMs: null, tries: 0, notBeforeMs: null, problem: null };
      const stored = { troubleSinceMs: 5, tries: 2, notBeforeMs: 1e13 };
      for (const state of PUBLICATION_STATES) {
        const of = (name: string) => found.get(`${state} ${name}`);
        expect(of("plain")).toMatchObject({
          ...free,
          state,
          pendingWrite: "finish",
          revision: 1,
          nextAtMs: 7,
        });
        expect(of("waiting")).toMatchObject({ ...stored, stopReason: null, state, nextAtMs: 7 });
        expect(JSON.parse(of("waiting")?.problem ?? "")).toEqual(words);
        expect(of("stopped")).toMatchObject({ ...free, state, stopReason: "cancelled" });
        expect(of("left")).toMatchObject({ ...stored, state, stopReason: "left" });
        expect(of("away")).toMatchObject({ ...free, state, stopReason: "left", nextAtMs: 0 });
        expect(of("leaving")).toMatchObject({ ...free, state, stopReason: "left", nextAtMs: 0 });
        expect(of("back")).toMatchObject({ ...free, state, nextAtMs: 0 });
        const decided = state === "uploading" ? "outcome-unknown" : state;
        expect(of("unreadable")).toMatchObject({ ...free, state: decided, nextAtMs: 7 });
      }
      expect(found.get("odd")).toMatchObject({ state: "outcome-unknown", pendingWrite: "simple" });
      expect(found.size).toBe(rows.length + 1);
      const indexes = await indexesOf(engine, kind);
      expect(indexes).toEqual(expect.arrayContaining(["publicationsByState", "publicationsByStop"]));
    });

    it("refuse a database that a newer program has used, with a clear error", async () => {
      const url = await createDatabaseWithoutTables(kind);
      await migrate(await engineFor(url), surroundings, [...MIGRATIONS, further]);
      const opening = open(url);
      await expect(opening).rejects.toThrow(ConfigError);
      await expect(opening).rejects.toThrow(
        new RegExp(`^DATABASE_URL .*newer.*version ${MIGRATIONS.length + 1}.*knows ${MIGRATIONS.length}\\.`),
      );
    });

    it("change nothing if one of them fails", async () => {
      const url = await createDatabaseWithoutTables(kind);
      const engine = await engineFor(url);
      const broken: Migration = async (schema, transaction) => {
        await further(schema, transaction);
        throw new Error("the power went out");
      };
      await expect(migrate(engine, surroundings, [...MIGRATIONS, broken])).rejects.toThrow(
        "the power went out",
      );
      expect(await engine.queries.introspection.getTables()).toEqual([]);
      await migrate(engine, surroundings, [...MIGRATIONS, further]);
      expect((await engine.queries.introspection.getTables()).map(({ name }) => name)).toContain("further");
    });
  });
}

for (const kind of await findDatabases()) {
  describeMigrations(kind);
}

describe("a database at start", () => {
  async function folder(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), "signalbox-storage-"));
    onTestFinished(() => rm(path, { recursive: true, force: true }));
    return path;
  }

  it("is created with its folder if it is missing", async () => {
    const file = join(await folder(), "a", "b", "new.db");
    await (await open(`sqlite:${file}`)).close();
    expect(existsSync(file)).toBe(true);
  });

  it("is refused with a clear error if it is another kind of file", async () => {
    const file = join(await folder(), "notes.txt");
    await writeFile(file, "These are my notes. ".repeat(100));
    const opening = open(`sqlite:${file}`);
    await expect(opening).rejects.toThrow(ConfigError);
    await expect(opening).rejects.toThrow(
      /^DATABASE_URL names a file that is damaged or is not a database: /,
    );
  });

  it("is refused with a clear error if it is a folder", async () => {
    const path = await folder();
    await expect(open(`sqlite:${path}`)).rejects.toThrow(`DATABASE_URL names a folder: ${path}. `);
  });

  // Root may write any file.
  it.skipIf(userInfo().uid === 0)("is refused with a clear error if it is read-only", async () => {
    const file = join(await folder(), "read-only.db");
    await (await open(`sqlite:${file}`)).close();
    await chmod(file, 0o444);
    await expect(open(`sqlite:${file}`)).rejects.toThrow(/^DATABASE_URL names a file that cannot be written/);
  });

  it("is unavailable if its server cannot be reached, and the error does not contain the password", async () => {
    const opening = open("postgres://me:a-secret-word@127.0.0.1:1/none");
    await expect(opening).rejects.toMatchObject({ service: "storage", kind: "unavailable" });
    await expect(opening).rejects.toThrow(/ECONNREFUSED/);
    await expect(opening).rejects.not.toThrow(/a-secret-word/);
  });
});

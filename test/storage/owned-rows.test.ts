// Erasing covers every column with the id of a guild or a person.
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { openEngine } from "../../src/storage/open-engine.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { MIGRATIONS, type Migration } from "../../src/storage/migrations.ts";
import { GUILD_ROWS, USER_ROWS, type OwnedColumn } from "../../src/storage/owned-rows.ts";

const GUILD_ID = /guild|server/i;
const USER_ID = /user|member|person|author|owner|caller|actor|(?:By|For)(?:Id)?$/i;

/** The columns of the whole schema whose names match, as `table.column`. */
async function columnsLike(name: RegExp, migrations: readonly Migration[]): Promise<readonly string[]> {
  const surroundings = { clock: systemClock, log: createLog({ level: "silent", secrets: [] }) };
  const engine = await openEngine({ url: "sqlite::memory:", ...surroundings });
  onTestFinished(() => engine.queries.destroy());
  await migrate(engine, surroundings, migrations);
  const tables = await engine.queries.introspection.getTables();
  return tables.flatMap((table) =>
    table.columns.filter((column) => name.test(column.name)).map((column) => `${table.name}.${column.name}`),
  );
}

const known = (places: readonly OwnedColumn[]) => places.map(({ table, column }) => `${table}.${column}`);

describe("erasing", () => {
  it("covers every table with a guild's id", async () => {
    const found = await columnsLike(GUILD_ID, MIGRATIONS);
    expect(found).toContain("leftGuilds.guildId");
    expect(found.toSorted()).toEqual(known(GUILD_ROWS).toSorted());
  });

  it("covers every table with a person's id", async () => {
    expect((await columnsLike(USER_ID, MIGRATIONS)).toSorted()).toEqual(known(USER_ROWS).toSorted());
  });

  it("would notice a new table that it does not cover", async () => {
    const added: Migration = async (schema) => {
      await schema
        .createTable("added")
        .addColumn("guildId", "text")
        .addColumn("userId", "text")
        .addColumn("createdBy", "text")
        .execute();
    };
    expect(await columnsLike(GUILD_ID, [...MIGRATIONS, added])).toContain("added.guildId");
    const found = await columnsLike(USER_ID, [...MIGRATIONS, added]);
    expect(found).toEqual(expect.arrayContaining(["added.userId", "added.createdBy"]));
  });
});

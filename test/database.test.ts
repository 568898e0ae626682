import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { systemClock } from "../src/core/clock.ts";
import { createLog } from "../src/core/log.ts";
import { openDatabase } from "../src/database.ts";
import { createDatabaseWithoutTables, createTestDatabase } from "./open.ts";
import { findDatabases, findPostgres } from "./support/databases.ts";
import { describeStorage } from "./storage/storage-conformance.ts";

for (const kind of await findDatabases()) {
  describeStorage(kind);
}

const postgres = await findPostgres();

it.skipIf(postgres.missing !== undefined)(
  "an empty server is refused as long as the file is there that the bot has used before",
  async () => {
    const log = createLog({ level: "silent", secrets: [] });
    const open = (url: string, formerFile: string) =>
      openDatabase({ url, formerFile, clock: systemClock, log });
    const used = fileURLToPath(import.meta.url);
    const empty = await createDatabaseWithoutTables(postgres);
    await expect(open(empty, used)).rejects.toThrow(
      /^DATABASE_URL names an empty database, but .* `npm run move`/,
    );
    await (await open(await createTestDatabase(postgres), used)).close();
    await (await open(empty, `${used}.renamed`)).close();
    await (await open(empty, used)).close();
  },
);

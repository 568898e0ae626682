// A fleet is upgraded as docs/hosting.md describes, while members send commands.
import { execFileSync } from "node:child_process";
import { cp, mkdtempDisposable, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openWorld } from "../../sandbox/world.ts";
import { findPostgres } from "../support/databases.ts";
import { startProgram } from "../support/program.ts";
import { SECOND_SHARD_MADE_AT_MS } from "../support/second-shard.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const RUNS_JOBS = "this process runs the jobs now";
const LEAVES_JOBS = "a newer version has migrated the database; this process leaves the jobs to it";
/** Processes check the lease every ten seconds. */
const SOON = { timeout: 60_000 };
const postgres = await findPostgres();

/** Copies the program into a folder and adds one migration. */
async function makeNewerVersion(folder: string): Promise<void> {
  for (const part of ["src", "commands", "package.json"]) {
    await cp(join(ROOT, part), join(folder, part), { recursive: true });
  }
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const list = join(folder, "src/storage/migrations.ts");
  const migrations = await readFile(list, "utf8");
  const added = 'async (schema) => schema.createTable("newer").addColumn("id", "integer").execute(),\n];';
  await writeFile(list, migrations.replace(/\];\s*$/, added));
}

it.skipIf(postgres.missing !== undefined)(
  "old processes leave the jobs to the newer version and answer members until they are replaced",
  { timeout: 300_000 },
  async () => {
    await using database = await postgres.create();
    await using folder = await mkdtempDisposable(join(tmpdir(), "signalbox-newer-"));
    await makeNewerVersion(folder.path);
    await using world = await openWorld({ bot: "none", clock: "running", settings: { shards: 2 } });
    const ada = world.member("Ada");
    const guild = world.discord.addGuild({
      name: "Elsewhere",
      memberIds: [ada.id],
      madeAtMs: SECOND_SHARD_MADE_AT_MS,
    });
    const channels = [world.channels.general, world.discord.addChannel(guild, "trains")];
    const envOf = (shard: number) => ({
      ...world.env,
      DATABASE_URL: database.url,
      SHARDS: String(shard),
      SHARD_COUNT: "2",
    });
    const answerAll = async () => {
      for (const channel of channels) {
        const answer = await ada.slash(channel, "departures", { station: "York" });
        expect(answer.text).toContain("York");
      }
    };

    await using oldFirst = await startProgram(envOf(0));
    await using oldSecond = await startProgram(envOf(1));
    await expect.poll(() => oldFirst.written() + oldSecond.written(), SOON).toContain(RUNS_JOBS);
    await answerAll();

    execFileSync(process.execPath, ["src/migrate.ts"], { cwd: folder.path, env: envOf(0) });
    await expect.poll(() => oldFirst.written(), SOON).toContain(LEAVES_JOBS);
    await expect.poll(() => oldSecond.written(), SOON).toContain(LEAVES_JOBS);
    await answerAll();

    expect(await oldFirst.terminate()).toBe(0);
    await using newFirst = await startProgram(envOf(0), folder.path);
    await expect.poll(() => newFirst.written(), SOON).toContain(RUNS_JOBS);
    await answerAll();
    expect(await oldSecond.terminate()).toBe(0);
    await using newSecond = await startProgram(envOf(1), folder.path);
    await answerAll();

    for (const program of [oldFirst, oldSecond, newFirst, newSecond]) {
      expect(program.written()).not.toContain('"level":"error"');
    }
    await expect(startProgram(envOf(0))).rejects.toThrow("a newer Signalbox has used");
  },
);

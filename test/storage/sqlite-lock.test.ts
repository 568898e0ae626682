// The lock that lets only one bot use a SQLite file.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { ConfigError } from "../../src/core/errors.ts";
import { createLog } from "../../src/core/log.ts";
import { openDatabase, type Database } from "../../src/database.ts";

const OPENER = fileURLToPath(new URL("../support/opener.ts", import.meta.url));
const BOTS = 4;

const log = createLog({ level: "silent", secrets: [] });

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-lock-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a file as the bot does, until the test is over. */
async function openAsBot(file: string): Promise<Database> {
  const database = await openDatabase({ url: `sqlite:${file}`, clock: systemClock, log });
  onTestFinished(() => database.close());
  return database;
}

/** Opens a file as the bot does, but in another process. `said` is what that process reports. */
async function openElsewhere(file: string) {
  const child = fork(OPENER, [`sqlite:${file}`], { execArgv: [] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [said] = await once(child, "message");
  return { child, said: String(said) };
}

const refusal = (file: string) =>
  `DATABASE_URL names a file that another bot uses: ${file}. Stop that bot, or set DATABASE_URL to another file.`;

it("a second bot is refused with a clear error until the first has closed the file", async () => {
  const file = join(await createFolder(), "bot.db");
  const first = await openAsBot(file);
  const opening = openAsBot(file);
  await expect(opening).rejects.toThrow(ConfigError);
  await expect(opening).rejects.toThrow(refusal(file));
  expect((await openElsewhere(file)).said).toBe(refusal(file));
  await first.leftGuilds.add("1", 1_000);
  await first.close();
  expect(await (await openAsBot(file)).leftGuilds.leftBefore(2_000)).toEqual(["1"]);
});

it("a killed bot does not keep the next one from opening the file", async () => {
  const file = join(await createFolder(), "bot.db");
  const { child, said } = await openElsewhere(file);
  expect(said).toBe("opened");
  await expect(openAsBot(file)).rejects.toThrow(refusal(file));
  child.kill("SIGKILL");
  await once(child, "exit");
  await openAsBot(file);
});

it("only one of several bots that start at once can open the file", async () => {
  const file = join(await createFolder(), "bot.db");
  const opened = await Promise.all(Array.from({ length: BOTS }, () => openElsewhere(file)));
  expect(opened.map(({ said }) => said).toSorted()).toEqual(
    ["opened", ...Array.from({ length: BOTS - 1 }, () => refusal(file))].toSorted(),
  );
});

it("a symbolic link to a file counts as the same file", async () => {
  const folder = await createFolder();
  const file = join(folder, "bot.db");
  await openAsBot(file);
  const link = join(folder, "link.db");
  await symlink(file, link);
  await expect(openAsBot(link)).rejects.toThrow(/another bot/);
  await openAsBot(join(folder, "other.db"));
});

it("a program that is not exclusive may open the file beside the bot", async () => {
  const file = join(await createFolder(), "bot.db");
  const { leftGuilds } = await openAsBot(file);
  await leftGuilds.add("1", 1_000);
  const beside = await openDatabase({ url: `sqlite:${file}`, clock: systemClock, log, exclusive: false });
  expect(await beside.leftGuilds.leftBefore(2_000)).toEqual(["1"]);
  await beside.close();
  await expect(openAsBot(file)).rejects.toThrow(refusal(file));
});

it("a failed start does not keep the next one from opening the file", async () => {
  const file = join(await createFolder(), "bot.db");
  await writeFile(file, "These are my notes. ".repeat(100));
  for (let time = 0; time < 2; time += 1) {
    await expect(openAsBot(file)).rejects.toThrow(/is damaged or is not a database/);
  }
  await rm(file);
  await openAsBot(file);
});

it("only the lock file is left beside the database", async () => {
  const folder = await createFolder();
  const database = await openAsBot(join(folder, "bot.db"));
  await database.close();
  expect(await readdir(folder)).toEqual(["bot.db", "bot.db-lock"]);
});

it("the error names a lock file that cannot be created", async () => {
  const folder = await createFolder();
  await mkdir(join(folder, "bot.db-lock"));
  await expect(openAsBot(join(folder, "bot.db"))).rejects.toThrow(
    `DATABASE_URL names a file that cannot be written: ${join(folder, "bot.db-lock")}. `,
  );
});

// Runs `npm run doctor` in its own process, against the sandbox.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { openWorld } from "../../sandbox/world.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { createSecretBox } from "../../src/core/secret-box.ts";
import { type Database, openDatabase } from "../../src/database.ts";
import { startHealthServer } from "../../src/operations/monitoring.ts";
import { findPostgres } from "../support/databases.ts";
import { freePort } from "../support/free-port.ts";
import { listen } from "../../sandbox/http/listen.ts";
import { videoAccountRecord } from "../videos/video-rows.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const NODE_COMPILE_CACHE = join(root, "node_modules/.cache/tests");

const examine = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  examineIn(root, env, ...args);

function examineIn(cwd: string, env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  return new Promise<{ code: number | null; lines: readonly string[] }>((resolve) => {
    const child = execFile(
      process.execPath,
      [join(root, "src/doctor.ts"), ...args],
      { cwd, env: { NODE_COMPILE_CACHE, ...env } },
      (_, stdout, stderr) => resolve({ code: child.exitCode, lines: (stdout + stderr).trim().split("\n") }),
    );
  });
}

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-doctor-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Creates a database in a folder, and returns its URL. */
async function createDatabase(
  folder: string,
  fill: (database: Database) => Promise<unknown>,
): Promise<string> {
  const url = `sqlite:${folder}/signalbox.db`;
  const log = createLog({ level: "silent", secrets: [] });
  const database = await openDatabase({ url, clock: systemClock, log });
  await fill(database);
  await database.close();
  return url;
}

/** A linked account whose token was encrypted with a different key than the sandbox's. */
const LINKED = videoAccountRecord({
  guildId: "5",
  sealedToken: createSecretBox(Buffer.alloc(32, 1)).seal("a-token", "5"),
});

it("reports every problem at once, and shows no secret", async () => {
  await using world = await openWorld({ bot: "none", sources: ["transport", "rail-data", "tfl"] });
  const url = await createDatabase(createFolder(), async ({ facts, videoAccounts }) => {
    await facts.storeIfAbsent("application", "100000000000000001");
    await videoAccounts.put(LINKED);
  });
  const taken = createServer();
  onTestFinished(() => void taken.close());
  const { port: HTTP_PORT } = new URL(await listen(taken, 0));
  const wrong = {
    STYLE_API_KEY: "not-the-style-key",
    TFL_APP_KEY: "not-the-london-key",
    RAIL_DATA_ARRIVALS_KEY: "not-the-arrivals-key",
    VIDEO_ACCESS_TOKEN: world.video.tokens.expired,
  };
  const env = { ...world.env, ...wrong, DATABASE_URL: url, HTTP_PORT, LOGLEVEL: "debug" };
  const { code, lines } = await examine(env, "--yes");
  expect(code).toBe(78);
  const found = lines.filter((line) => /^(?:problem|note) /.test(line));
  expect(found).toEqual([
    expect.stringMatching(/^note +settings +LOGLEVEL .*LOG_LEVEL\?$/),
    expect.stringMatching(/^problem +port +HTTP_PORT is in use by another program, /),
    expect.stringMatching(/^note +Discord +The next start.*registers: about, /),
    expect.stringMatching(/^problem +database +It belongs to the Discord application 100000000000000001, /),
    expect.stringMatching(/^problem +secrets +1 of 1 linked video accounts cannot be decrypted\./),
    expect.stringMatching(/^problem +RAIL_DATA_ARRIVALS +It does not accept its credentials\./),
    expect.stringMatching(/^problem +London +It does not accept its credentials\./),
    expect.stringMatching(/^problem +pictures +It does not accept its credentials\./),
    expect.stringMatching(/^problem +video +/),
  ]);
  expect(lines).toContainEqual(
    expect.stringMatching(/^ok +trains +.* 1 of 1000 calls of the plan are used\.$/),
  );
  const railway = lines.filter((line) => /^ok +RAIL_DATA_/.test(line)).map((line) => line.split(/ +/)[1]);
  expect(railway).toEqual(["RAIL_DATA_DEPARTURES", "RAIL_DATA_SERVICE", "RAIL_DATA_DISRUPTIONS"]);
  expect(lines.at(-1)).toBe("7 problems found.");
  const secrets = [
    ...Object.values(wrong),
    world.discord.token,
    world.transport.appKey,
    world.video.appSecret,
  ];
  expect(secrets.filter((secret) => lines.join("\n").includes(secret))).toEqual([]);
});

it("accepts that the running bot uses the port, and reports a backup folder that cannot be written to and a key that is missing", async () => {
  await using world = await openWorld({ bot: "none" });
  const folder = createFolder();
  const url = await createDatabase(folder, (database) => database.videoAccounts.put(LINKED));
  writeFileSync(join(folder, "a-file"), "");
  const port = await freePort();
  const health = () => ({ ok: false, shards: [] });
  const metrics = async () => ({ contentType: "", text: "" });
  // As on PostgreSQL: the database does not show whether a bot uses it.
  const bot = await startHealthServer({ port, host: "127.0.0.1" }, { health, metrics });
  onTestFinished(() => bot.close());
  const { lines } = await examine({
    ...world.env,
    DATABASE_URL: url,
    SECRET_KEY: "",
    HTTP_PORT: String(port),
    BACKUP_DAYS: "14",
    BACKUP_FOLDER: join(folder, "a-file", "backups"),
  });
  expect(lines.filter((line) => / (?:port|backups|secrets) /.test(line))).toEqual([
    expect.stringMatching(/^problem +backups +Backups cannot be written to .*a-file.backups \(ENOTDIR\)\./),
    expect.stringMatching(/^ok +port +HTTP_PORT \d+ is in use, as it should be/),
    expect.stringMatching(/^problem +secrets .* Set SECRET_KEY to the key that/),
  ]);
});

it("reports an application whose commands Discord sends to another program, and so does the start", async () => {
  const settings = { interactionsEndpointUrl: "https://old.example/interactions" };
  await using world = await openWorld({ bot: "inside", settings });
  const { code, lines } = await examine(world.env, "--no-calls");
  const sentence = "The application has an Interactions Endpoint URL, so Discord sends commands there";
  expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^problem +Discord +${sentence}`)));
  expect(code).toBe(78);
  expect(world.bot.log).toContainEqual(expect.stringContaining(sentence));
});

it("says which dialect a refused key of the transport service may need", async () => {
  await using world = await openWorld({ bot: "none" });
  const env = { ...world.env, TRANSPORT_APP_KEY: "not-the-transport-key", STYLE_API_KEY: "" };
  const asked = async (dialect: string) => {
    const { lines } = await examine({ ...env, TRANSPORT_DIALECT: dialect }, "--yes");
    return lines.filter((line) => / trains /.test(line));
  };
  const problem = expect.stringMatching(/^problem +trains +It does not accept its credentials\./);
  const hint = expect.stringMatching(/^note +trains .* TRANSPORT_DIALECT=public\.$/);
  expect(await asked("specification")).toEqual([hint, problem]);
  expect(await asked("public")).toEqual([problem]);
});

it("reports an invalid catalogue of styles as a problem of the settings", async () => {
  await using world = await openWorld({ bot: "none" });
  const catalogue = join(createFolder(), "styles.json");
  writeFileSync(catalogue, "{");
  const { lines } = await examine({ ...world.env, STYLE_CATALOGUE: catalogue });
  expect(lines.at(-3)).toMatch(/^problem +settings +STYLE_CATALOGUE names a file that is not JSON\.$/);
  expect(lines.at(-1)).toBe("1 problem found.");
});

const postgres = await findPostgres();

it.skipIf(postgres.missing !== undefined)(
  "and migrate refuse an empty server beside the file that the bot has used, as the start does, and leave it empty",
  async () => {
    await using world = await openWorld({ bot: "none" });
    await using empty = await postgres.createWithoutTables();
    const folder = createFolder();
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data/signalbox.db"), "");
    const env = { ...world.env, DATABASE_URL: empty.url };
    const first = await examineIn(folder, env, "--yes");
    const migrating = promisify(execFile)(process.execPath, [join(root, "src/migrate.ts")], {
      cwd: folder,
      env,
    });
    await expect(migrating).rejects.toMatchObject({
      code: 78,
      stderr: expect.stringMatching(/^DATABASE_URL names an empty database, but /),
    });
    const second = await examineIn(folder, env, "--no-calls");
    for (const { code, lines } of [first, second]) {
      expect(code).toBe(78);
      expect(lines).toContainEqual(
        expect.stringMatching(/^problem +database +DATABASE_URL names an empty database, but /),
      );
    }
  },
);

it("changes and spends nothing by default, and ends with 1 for a temporary problem", async () => {
  await using world = await openWorld({ bot: "none" });
  const file = join(createFolder(), "data", "signalbox.db");
  const env = { ...world.env, DATABASE_URL: `sqlite:${file}` };
  const { code, lines } = await examine(env);
  expect(lines.at(-1)).toBe("No problem found.");
  expect(code).toBe(0);
  const away = { STYLE_API_BASE_URL: `http://127.0.0.1:${await freePort()}` };
  const { code: next, lines: others } = await examine({ ...env, ...away }, "--no-calls");
  expect(others).toContainEqual(expect.stringMatching(/^problem +pictures +It cannot be reached\./));
  expect(next).toBe(1);
  expect(existsSync(file)).toBe(false);
  expect(world.transport.ledger.filter(({ weight }) => weight > 0)).toEqual([]);
  expect(world.discord.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

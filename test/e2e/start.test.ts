// The programs as an operator starts them, in their own processes and without sandbox code.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, openSync, readdirSync, rmSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { START_FLAGS } from "../../sandbox/bot/process.ts";
import { openWorld } from "../../sandbox/world.ts";
import { BOT, filesOf } from "../../src/core/compiled-code.js";
import { freePort } from "../support/free-port.ts";
import { close, listen } from "../../sandbox/http/listen.ts";
import manifest from "../../package.json" with { type: "json" };

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const running = new Set<ChildProcess>();

afterEach(() => {
  for (const child of running) {
    child.kill("SIGKILL");
  }
  running.clear();
});

/** The compile cache that the tests share. `src/main.js` has its own. */
const NODE_COMPILE_CACHE = join(root, "node_modules/.cache/tests");

/** The arguments of `npm start`. */
const BOT_ARGS = [...START_FLAGS, "src/main.js"];

/** Runs a program to its end. Returns its exit code and output. */
function run(program: "src/main.js" | "src/deploy.ts", settings: Readonly<Record<string, string>>) {
  const isBot = program === "src/main.js";
  const args = isBot ? BOT_ARGS : [program];
  const env = isBot ? settings : { NODE_COMPILE_CACHE, ...settings };
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, args, { cwd: root, env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
    running.add(child);
  });
}

/** Starts the bot. `wrote` resolves once a text is in its output, and rejects if the bot ends before. */
function launch(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, BOT_ARGS, {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const exited = once(child, "exit");
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output.stderr += chunk.toString()));
  const written = () => output.stdout + output.stderr;
  const wrote = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => written().includes(text) && resolve();
      child.stdout.on("data", look);
      child.stderr.on("data", look);
      child.once("close", (code) => reject(new Error(`the bot ended with ${code}: ${written()}`)));
      look();
    });
  return { child, exited, output, written, wrote };
}

/** Starts the bot and waits for the line that says it is ready. */
async function start(env: Readonly<Record<string, string>>) {
  const bot = launch(env);
  await bot.wrote("Invite: ");
  return bot;
}

describe("npm start", () => {
  it("says in one sentence what to set if there is no token", async () => {
    const { code, stdout, stderr } = await run("src/main.js", {});
    expect(code).toBe(78);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^DISCORD_TOKEN .*npm run sandbox.*\n$/);
  });

  it("and every other program refuse a Node that is too old before they load anything else", async () => {
    const old = `data:text/javascript,Object.defineProperty(process.versions, "node", { value: "20.1.0" })`;
    const env = { NODE_OPTIONS: `--import=${encodeURI(old)}` };
    const programs = Object.values(manifest.scripts).filter((script) => / src\//.test(script));
    expect(programs.length).toBeGreaterThan(2);
    for (const script of programs) {
      const [, ...args] = script.split(" ");
      const ended: unknown = await execute(process.execPath, args, { cwd: root, env }).catch(
        (error: unknown) => error,
      );
      expect(ended).toMatchObject({
        code: 78,
        stderr: expect.stringMatching(
          /^Signalbox needs Node 24 or later, and this is Node 20\.1\.0\. .*\n$/m,
        ),
      });
      expect(ended).not.toMatchObject({ stderr: expect.stringMatching(/^ +at /m) });
    }
  });

  it("runs on a Node without a built-in Temporal", async () => {
    await using world = await openWorld({ bot: "none" });
    const older = "data:text/javascript,delete globalThis.Temporal";
    await start({ ...world.env, NODE_OPTIONS: `--import=${encodeURI(older)}` });
    const asked = { station: "YRK", view: "text" };
    const { message } = await world.member("Ada").slash(world.channels.general, "departures", asked);
    expect(JSON.stringify(message)).toContain("York");
  });

  it("loads a bundle instead of its sources, and errors refer to lines of the sources", async () => {
    await using world = await openWorld({ bot: "none" });
    await run("src/main.js", {});
    const { isBundle, commands, file } = filesOf(BOT);
    expect(isBundle).toBe(true);
    const listed = (folder: URL, ending: RegExp) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => ending.test(name))
        .map((name) => name.replace(ending, ""))
        .toSorted();
    expect(listed(commands, /\.js$/)).toEqual(listed(new URL("../../commands/", import.meta.url), /\.ts$/));

    const program = `
      const { BOT, openProgram } = await import("./src/core/compiled-code.js");
      const { start } = await import(openProgram(BOT).file(BOT.entry));
      await start(new URL("file:///nowhere/"));`;
    const ended: unknown = await execute(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: root,
      env: world.env,
    }).catch((error: unknown) => error);
    expect(file(BOT.entry)).toContain("/bundle-");
    expect(ended).toMatchObject({
      stderr: expect.stringContaining(join(root, "src/discord/read-commands.ts:")),
    });
    expect(ended).not.toMatchObject({ stderr: expect.stringContaining("/bundle-") });
  });

  it("suggests the right name for a misspelt variable", async () => {
    const { code, stderr } = await run("src/main.js", { LOGLEVEL: "debug" });
    expect(code).toBe(78);
    expect(stderr).toMatch(/^LOGLEVEL is not a variable of Signalbox .*LOG_LEVEL\?\nDISCORD_TOKEN .*\n$/);
  });

  it("says that Discord does not accept the token", async () => {
    await using world = await openWorld({ bot: "none" });
    const { code, stderr } = await run("src/main.js", { ...world.env, DISCORD_TOKEN: "a.wrong.token" });
    expect(code).toBe(78);
    expect(stderr).toMatch(/^Discord does not accept DISCORD_TOKEN/);
    expect(stderr).not.toMatch(/wrong\.token|\bat .*\.(ts|js)/);
  });

  it("waits while Discord cannot be reached, and ends at once on SIGTERM", async () => {
    const { child, exited, output, wrote } = launch({
      DISCORD_TOKEN: "a.good.token",
      DISCORD_API_BASE_URL: `http://127.0.0.1:${await freePort()}/api`,
      DATABASE_URL: "sqlite::memory:",
    });
    await wrote('"msg":"Discord unreachable, will retry"');
    expect(output.stdout).toMatch(/"reason":"discord: unavailable: ECONNREFUSED","attempt":1,"waitMs":\d+/);
    expect(output.stderr).toMatch(/^Discord cannot be reached\. .*\n$/);
    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
  });

  it("and deploy say that DISCORD_API_BASE_URL is wrong if something other than Discord answers", async () => {
    await using world = await openWorld({ bot: "none" });
    for (const program of ["src/main.js", "src/deploy.ts"] as const) {
      const { code, stderr } = await run(program, {
        ...world.env,
        DISCORD_API_BASE_URL: `${world.discord.baseUrl}/api/v10`,
      });
      expect(code).toBe(78);
      expect(stderr).toMatch(/^DISCORD_API_BASE_URL .*without the version.*\n$/);
    }
  });

  it("refuses a database that another bot uses or that is another application's, even after that bot was killed", async () => {
    await using one = await openWorld({ bot: "none" });
    await using other = await openWorld({ bot: "none", applicationMadeAt: "2021-01-01T00:00:00Z" });
    await using folder = await mkdtempDisposable(join(tmpdir(), "signalbox-start-"));
    const DATABASE_URL = `sqlite:${join(folder.path, "signalbox.db")}`;
    const { child } = await start({ ...one.env, DATABASE_URL });
    const second = await run("src/main.js", { ...one.env, DATABASE_URL });
    expect(second.code).toBeGreaterThan(0);
    expect(second.stderr).toMatch(/^DATABASE_URL names a file that another bot uses: .*\n$/);
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    const foreign = await run("src/main.js", { ...other.env, DATABASE_URL });
    expect(foreign.code).toBe(78);
    expect(foreign.stderr).toMatch(/^DATABASE_URL names the database of another Discord application: .*\n$/);
    expect(other.discord.requests.map(({ path }) => path)).toEqual(["/applications/@me"]);
    await start({ ...one.env, DATABASE_URL });
  });

  it("ends at once on SIGTERM before it is ready", async () => {
    const asked = createServer();
    onTestFinished(() => close(asked));
    const baseUrl = await listen(asked, 0);
    const child = spawn(process.execPath, BOT_ARGS, {
      cwd: root,
      env: {
        DISCORD_TOKEN: "a.good.token",
        DISCORD_API_BASE_URL: `${baseUrl}/api`,
        DATABASE_URL: "sqlite::memory:",
      },
      stdio: "ignore",
    });
    running.add(child);
    const ended = once(child, "exit");
    // The bot waits for an answer that does not come.
    await once(asked, "request");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  it("ends with 78 if Discord closes the gateway for good, says why once, and closes its database", async () => {
    await using world = await openWorld({ bot: "none" });
    const folder = mkdtempSync(join(tmpdir(), "signalbox-start-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { exited, output } = await start({ ...world.env, DATABASE_URL: `sqlite:${folder}/signalbox.db` });
    const before = { ...output };
    expect(readdirSync(folder)).toContain("signalbox.db-wal");
    world.discord.gateway.closeSockets(4004);
    expect(await exited).toEqual([78, null]);
    const sentence = /Discord does not accept DISCORD_TOKEN\. .* with code 4004\./;
    expect(output.stderr.slice(before.stderr.length)).toMatch(new RegExp(`^${sentence.source}\n$`));
    const lines = output.stdout.slice(before.stdout.length).trim().split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: "error",
        reason: expect.stringMatching(sentence),
        exitCode: 78,
        msg: "bot failed",
      }),
    ]);
    expect(readdirSync(folder)).toEqual(["signalbox.db", "signalbox.db-lock"]);
  });

  it("ends with 1 if it cannot stop in time", async () => {
    await using world = await openWorld({ bot: "none" });
    const { child, exited, written } = await start(world.env);
    // The bot waits for the closing frame of a gateway that sends none.
    world.discord.gateway.stallSockets();
    const askedAtMs = performance.now();
    child.kill("SIGTERM");
    expect(await exited).toEqual([1, null]);
    // discord.js would wait for 30 s.
    expect(performance.now() - askedAtMs).toBeLessThan(25_000);
    expect(written()).toContain('"msg":"stop not finished in time"');
  });

  it("ends when npm's shell ends, which passes no signals on", async () => {
    await using world = await openWorld({ bot: "none", clock: "running" });
    const shell = spawn("sh", ["-c", `"$0" src/main.js; exit`, process.execPath], {
      cwd: root,
      env: { ...world.env, npm_lifecycle_event: "start" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(shell);
    let written = "";
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.on("data", (chunk: Buffer) => (written += chunk.toString()));
    }
    await expect.poll(() => written, { timeout: 20_000 }).toContain("Invite: ");
    const closed = once(shell.stdout, "close");
    shell.kill("SIGTERM");
    // The bot keeps its end of the pipe open until it ends.
    await closed;
    expect(written).toContain('"msg":"stopping"');
  });

  it.skipIf(!existsSync("/dev/full"))("keeps running if its output cannot be written", async () => {
    await using world = await openWorld({ bot: "none" });
    const port = await freePort();
    const full = openSync("/dev/full", "a");
    const child = spawn(process.execPath, BOT_ARGS, {
      cwd: root,
      env: { ...world.env, HTTP_PORT: String(port) },
      stdio: ["ignore", full, full],
    });
    running.add(child);
    const ended = once(child, "exit");
    const isHealthy = async () =>
      child.exitCode === null && (await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined))?.ok;
    await expect.poll(isHealthy).toBe(true);
    const asked = { station: "YRK", view: "text" };
    const answer = await world.member("Ada").slash(world.channels.trains, "departures", asked);
    expect(answer.text).toContain("York");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  it("answers a member, reports its health and metrics, and stops cleanly on SIGTERM", async () => {
    await using world = await openWorld({ bot: "none" });
    const port = await freePort();
    const { child, exited, written } = await start({
      ...world.env,
      HTTP_PORT: String(port),
      // discord.js would read these two by itself, and fail on the word "auto".
      SHARDS: "auto",
      SHARD_COUNT: "auto",
    });
    const health = await fetch(`http://127.0.0.1:${port}/health`);
    expect(health.status).toBe(200);
    expect(await health.json()).toMatchObject({ status: "ok", shards: [{ id: 0, ready: true }], guilds: 1 });

    const answer = await world.member("Ada").slash(world.channels.trains, "departures", { station: "YRK" });
    expect(answer.text).toContain("York");
    // The answer is counted once Discord has confirmed it, which may be after the member sees it.
    const readMetrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await expect
      .poll(readMetrics)
      .toContain('signalbox_answers_total{task="departures",outcome="answered"} 1\n');
    const metrics = await readMetrics();
    expect(metrics).toMatch(
      /^signalbox_service_requests_total\{service="transport",verb="\w+",outcome="200"\} [12]$/m,
    );
    expect(metrics).toMatch(/^signalbox_plan_calls_used\{service="transport"\} [12]$/m);
    expect(metrics).toMatch(/^signalbox_shard_ready\{shard="0"\} 1$/m);

    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
    expect(written()).not.toContain(world.env["DISCORD_TOKEN"]);
    // Nothing is logged while it leaves, in particular no reconnection.
    expect(written().split('"msg":"stopping"')[1]).not.toContain("msg");
  });
});

describe("npm run deploy", () => {
  it("registers the commands, and writes nothing the second time", async () => {
    await using world = await openWorld({ bot: "none" });
    const first = await run("src/deploy.ts", world.env);
    expect([first.code, first.stderr]).toEqual([0, ""]);
    // No database is touched.
    expect(first.stdout.trim().split("\n")).toEqual([expect.stringContaining("commands registered")]);
    const names = [...world.discord.state.commands.values()].map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["departures", "arrivals", "help", "about"]));
    world.discord.forgetRequests();
    expect((await run("src/deploy.ts", world.env)).code).toBe(0);
    expect(world.discord.requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
  });

  it("fails without waiting if Discord cannot be reached", async () => {
    const { code, stderr } = await run("src/deploy.ts", {
      DISCORD_TOKEN: "a.good.token",
      DISCORD_API_BASE_URL: `http://127.0.0.1:${await freePort()}/api`,
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^A service that the bot needs .*\(discord: unavailable: ECONNREFUSED\).*\n$/);
  });

  it("says in one sentence what to set if there is no token", async () => {
    const { code, stderr } = await run("src/deploy.ts", {});
    expect(code).toBe(78);
    expect(stderr).toMatch(/^DISCORD_TOKEN .*\n$/);
  });
});

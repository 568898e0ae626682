// The programs as an operator starts them, in processes of their own, with no sandbox code in them.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { openWorld } from "../../sandbox/world.ts";
import { freePort } from "../support/free-port.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const running = new Set<ChildProcess>();

afterEach(() => {
  for (const child of running) {
    child.kill("SIGKILL");
  }
  running.clear();
});

/** Runs to the end and tells how it ended. */
function run(program: string, env: Readonly<Record<string, string>>) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [program], { cwd: root, env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
    running.add(child);
  });
}

/** Starts the bot and waits for the line that says it is ready. */
async function start(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ["src/main.js"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const lines: string[] = [];
  await new Promise<void>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${lines.join("")}`)));
    const read = (chunk: Buffer): void => {
      lines.push(chunk.toString());
      if (lines.join("").includes("Invite: ")) {
        resolve();
      }
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
  });
  return { child, lines };
}

describe("npm start", () => {
  it("says in one sentence what to set when there is no token", async () => {
    const { code, stdout, stderr } = await run("src/main.js", {});
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^DISCORD_TOKEN .*npm run sandbox.*\n$/);
  });

  it("says so when Node is too old, which ends before anything else is loaded", async () => {
    const old = `data:text/javascript,Object.defineProperty(process.versions, "node", { value: "20.1.0" })`;
    const { code, stderr } = await run("src/main.js", { NODE_OPTIONS: `--import=${encodeURI(old)}` });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Signalbox needs Node 24 or later, and this is Node 20\.1\.0\. .*\n$/);
  });

  it("says so when Discord does not accept the token", async () => {
    await using world = await openWorld({ bot: "none" });
    const { code, stderr } = await run("src/main.js", { ...world.env, DISCORD_TOKEN: "a.wrong.token" });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^DISCORD_TOKEN is not accepted/);
    expect(stderr).not.toMatch(/wrong\.token|\bat .*\.(ts|js)/);
  });

  it.each(["src/main.js", "src/deploy.ts"])(
    "says so when Discord cannot be reached (%s)",
    async (program) => {
      const port = await freePort();
      const { code, stderr } = await run(program, {
        DISCORD_TOKEN: "a.good.token",
        DISCORD_API_BASE_URL: `http://127.0.0.1:${port}/api`,
      });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^DISCORD_API_BASE_URL cannot be reached \(ECONNREFUSED\)\. .*\n$/);
    },
  );

  it("says so when something else than Discord answers", async () => {
    await using world = await openWorld({ bot: "none" });
    for (const program of ["src/main.js", "src/deploy.ts"]) {
      const { code, stderr } = await run(program, {
        ...world.env,
        DISCORD_API_BASE_URL: `${world.discord.baseUrl}/api/v10`,
      });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^DISCORD_API_BASE_URL .*without the version.*\n$/);
    }
  });

  it("ends at once when it is asked to before it is ready", async () => {
    const asked = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => asked.close().closeAllConnections());
    await once(asked, "listening");
    const address = asked.address();
    const child = spawn(process.execPath, ["src/main.js"], {
      cwd: root,
      env: {
        DISCORD_TOKEN: "a.good.token",
        DISCORD_API_BASE_URL: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/api`,
        DATABASE_URL: "sqlite::memory:",
      },
      stdio: "ignore",
    });
    running.add(child);
    const ended = once(child, "exit");
    // It waits for an answer that does not come.
    await once(asked, "request");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  it("ends when npm's shell has been ended, which does not hand signals on", async () => {
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
    // The bot has the other end of its output until it ends.
    await closed;
    expect(written).toContain('"msg":"stopping"');
  });

  it("runs against other servers, tells its health and what it did, and stops cleanly on SIGTERM", async () => {
    await using world = await openWorld({ bot: "none" });
    const port = await freePort();
    const { child, lines } = await start({
      ...world.env,
      HTTP_PORT: String(port),
      // discord.js would read these two by itself, and fail on the word.
      SHARDS: "auto",
      SHARD_COUNT: "auto",
    });
    const health = await fetch(`http://127.0.0.1:${port}/health`);
    expect(health.status).toBe(200);
    expect(await health.json()).toMatchObject({ status: "ok", shards: [{ id: 0, ready: true }], guilds: 1 });

    const answer = await world.member("Ada").slash(world.channels.trains, "departures", { station: "YRK" });
    expect(answer.text).toContain("York");
    // It is counted once Discord has confirmed it, which may be after the member sees it.
    const readMetrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await expect
      .poll(readMetrics)
      .toContain('signalbox_answers_total{task="departures",outcome="answered"} 1\n');
    const metrics = await readMetrics();
    expect(metrics).toMatch(
      /^signalbox_service_requests_total\{service="transport",verb="\w+",outcome="200"\} [12]$/m,
    );
    expect(metrics).toMatch(/^signalbox_plan_calls_used [12]$/m);
    expect(metrics).toMatch(/^signalbox_shard_ready\{shard="0"\} 1$/m);

    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(lines.join("")).not.toContain(world.env["DISCORD_TOKEN"]);
    // What it does while it leaves is no reconnection.
    expect(lines.join("").split('"msg":"stopping"')[1]).not.toContain("msg");
  });
});

describe("npm run deploy", () => {
  it("registers the commands and leaves; a second time it writes nothing", async () => {
    await using world = await openWorld({ bot: "none" });
    const first = await run("src/deploy.ts", world.env);
    expect([first.code, first.stderr]).toEqual([0, ""]);
    const names = [...world.discord.state.commands.values()].map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["departures", "arrivals", "help", "about"]));
    world.discord.forgetRequests();
    expect((await run("src/deploy.ts", world.env)).code).toBe(0);
    expect(world.discord.requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
  });
});

// The programs as an operator starts them, in processes of their own, with no sandbox code in them.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
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

  it("runs against other servers, tells its health, and stops cleanly on SIGTERM", async () => {
    await using world = await openWorld({ bot: "none", clock: "running" });
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

    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(lines.join("")).not.toContain(world.env["DISCORD_TOKEN"]);
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

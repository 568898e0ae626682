import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import type { Scene } from "../../sandbox/control/chat/api.ts";

const PROGRAM = fileURLToPath(new URL("../../sandbox/main.ts", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DEADLINE_MS = 45_000;

/** A running `npm run sandbox`. */
interface Sandbox {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  /** Resolves with the first line that matches, already printed or still to come. */
  printed(pattern: RegExp): Promise<string>;
}

const running: ChildProcess[] = [];

afterEach(() => {
  for (const child of running.splice(0)) {
    child.kill("SIGKILL");
  }
});

function startSandbox(...args: string[]): Sandbox {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    // Reuses the code that Node compiled for other tests.
    env: { LOG_LEVEL: "error", NODE_COMPILE_CACHE: join(ROOT, "node_modules/.cache/tests") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  const lines: string[] = [];
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      for (const listener of listeners) {
        listener();
      }
    });
  }
  const printed = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const deadline = setTimeout(
        () => reject(new Error(`no line matched ${pattern}:\n${lines.join("\n")}`)),
        DEADLINE_MS,
      );
      const check = () => {
        const found = lines.find((line) => pattern.test(line));
        if (found !== undefined) {
          clearTimeout(deadline);
          listeners.delete(check);
          resolve(found);
        }
      };
      listeners.add(check);
      check();
    });
  return { child, lines, printed };
}

async function readyOf(sandbox: Sandbox): Promise<{ address: string; botPid: number }> {
  const opening = await sandbox.printed(/^ *Open +http/);
  const ready = await sandbox.printed(/The bot is ready/);
  return {
    address: /http\S+/.exec(opening)?.[0] ?? "",
    botPid: Number(/process (\d+)/.exec(ready)?.[1]),
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("npm run sandbox", () => {
  it("serves a page on which a member asks for trains, and ends the bot at Ctrl-C", async () => {
    const sandbox = startSandbox("--port", "0", "--at", "2026-11-20T17:20");
    const { address, botPid } = await readyOf(sandbox);
    expect(new URL(address).hostname).toBe("127.0.0.1");
    expect(sandbox.lines.join("\n")).toMatch(/trains are invented[^]*\/departures[^]*Ctrl-C/);
    expect(await (await fetch(address)).text()).toContain("Nothing here is real");

    const scene = await fetch(`${address}/_sandbox/chat/scene?member=Ada`);
    // Page and sandbox are built together; test/sandbox/control/chat checks the shape.
    const [guild] = ((await scene.json()) as Scene).guilds;
    const channel = guild?.channels[0]?.id ?? "";
    const done = await fetch(`${address}/_sandbox/act`, {
      method: "POST",
      body: JSON.stringify({
        member: "Ada",
        channel,
        do: "slash",
        command: "departures",
        options: { station: "YRK" },
      }),
    });
    expect(done.status).toBe(200);
    // The alt text shows that a newcomer sees every kind of train at once. “York” alone would also match the command's
    // options.
    await expect
      .poll(
        async () => (await fetch(`${address}/_sandbox/chat/messages?member=Ada&channel=${channel}`)).text(),
        {
          timeout: DEADLINE_MS,
        },
      )
      .toMatch(/Departures from York\. As of [^"]* on time[^"]* cancelled[^"]* min late/);

    sandbox.child.kill("SIGINT");
    const [exitCode] = await once(sandbox.child, "exit");
    expect(exitCode).toBe(0);
    await expect.poll(() => isAlive(botPid), { timeout: DEADLINE_MS }).toBe(false);
  });

  it("uses another port if its own is taken, restarts a bot that died, and leaves none running if it is killed", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    // A server that listens on a port has an address of this form.
    const { port } = other.address() as AddressInfo;
    const sandbox = startSandbox("--port", String(port));
    await sandbox.printed(new RegExp(`Port ${port} is taken`));
    const { address, botPid } = await readyOf(sandbox);
    expect(new URL(address).port).not.toBe(String(port));
    other.close();
    process.kill(botPid, "SIGKILL");
    await sandbox.printed(/stopped unexpectedly/);
    expect(await (await fetch(`${address}/_sandbox/bot`)).json()).toMatchObject({
      state: "stopped",
      problem: expect.stringContaining("stopped unexpectedly"),
    });
    const started = await fetch(`${address}/_sandbox/bot`, {
      method: "POST",
      body: JSON.stringify({ do: "start" }),
    });
    expect(await started.json()).toMatchObject({ state: "starting", starts: 2 });
    const restarted = await sandbox.printed(new RegExp(`The bot is ready \\(process (?!${botPid}\\))`));
    const [, pid] = /process (\d+)/.exec(restarted) ?? [];
    expect(isAlive(Number(pid))).toBe(true);
    sandbox.child.kill("SIGKILL");
    await expect.poll(() => isAlive(Number(pid)), { timeout: DEADLINE_MS }).toBe(false);
  });

  it("starts no bot with --without-bot, and prints a settings file with which `npm start` connects", async () => {
    const sandbox = startSandbox("--port", "0", "--without-bot");
    const line = await sandbox.printed(/npm start/);
    const [, file = ""] = /\. (\S+);/.exec(line) ?? [];
    const shell = execFile("sh", ["-c", `set -a; . ${file}; exec "$0" src/main.js`, process.execPath], {
      cwd: ROOT,
      env: {},
    });
    running.push(shell);
    const ready = new Promise<string>((resolve) => {
      let written = "";
      shell.stderr?.on("data", (chunk: string) => {
        written += chunk;
        if (written.includes("ready")) {
          resolve(written);
        }
      });
    });
    expect(await ready).toMatch(/^signalbox is ready in 1 server\./);
    expect(sandbox.lines.join("\n")).not.toContain("bot is starting");
  });

  it("prints its usage for an unknown option, and starts nothing", async () => {
    const sandbox = startSandbox("--fast");
    const [exitCode] = await once(sandbox.child, "close");
    expect(exitCode).toBe(2);
    expect(sandbox.lines.join("\n")).toMatch(/--fast[^]*Usage: npm run sandbox/);
    expect(sandbox.lines.join("\n")).not.toContain("http");
  });
});

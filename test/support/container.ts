// Builds and runs the real container image as docs/hosting.md recommends. If IMAGE names an image that Docker has
// built, as in the workflow, that one is used; otherwise build-image.sh builds it, and podman runs it.
import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Asynchronous, because this process serves the container's requests. */
const execute = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const BUILD = fileURLToPath(new URL("build-image.sh", import.meta.url));
const PROGRAMS = ["buildah", "debootstrap", "podman", "runc"];

/** A read-only root, no capabilities, and half the memory that docs/hosting.md recommends. */
const HARDENED = [
  "--read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges",
  "--memory 256m --memory-swap 256m --pids-limit 64 --network host",
  // The engine's defaults are higher than some machines allow.
  "--ulimit nofile=4096:4096 --ulimit nproc=4096:4096",
].flatMap((options) => options.split(" "));

/** Why the image cannot be built here; `undefined` if it can. */
export function whyNoImage(): string | undefined {
  if (process.env["IMAGE"] !== undefined) {
    return undefined;
  }
  if (process.getuid?.() !== 0) {
    return "building the image needs root";
  }
  const missing = PROGRAMS.filter((program) => !succeeds("sh", ["-c", `command -v ${program}`]));
  if (missing.length > 0) {
    return `building the image needs ${missing.join(", ")}`;
  }
  return succeeds("unshare", ["--mount", "true"]) ? undefined : "building the image needs to mount";
}

function succeeds(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export interface ImageContainer extends AsyncDisposable {
  /** Includes the base image. */
  readonly sizeBytes: number;
  start(env: Readonly<Record<string, string>>): Promise<void>;
  /** All output so far. */
  output(): Promise<string>;
  /** Runs a program in the container and returns its output. Rejects if it fails. */
  run(...command: readonly string[]): Promise<string>;
  /** Runs the image's health check; rejects if the container is unhealthy. */
  checkHealth(): Promise<void>;
  /** Stops it with SIGTERM and returns the exit code. */
  stop(): Promise<number>;
}

/** Builds the image, which takes about two minutes and 1 GB in a temporary folder. */
export async function buildImage(): Promise<ImageContainer> {
  const built = process.env["IMAGE"];
  const image = built ?? "signalbox";
  const name = `signalbox-test-${process.pid}`;
  const folder = await mkdtemp(join(tmpdir(), "signalbox-image-"));
  const store = [
    "--root",
    join(folder, "store"),
    "--runroot",
    join(folder, "run"),
    "--storage-driver",
    "vfs",
  ];
  const podman = ["podman", ...store, "--cgroup-manager", "cgroupfs", "--runtime", "runc"];
  const [program = "", ...common] = built === undefined ? podman : ["docker"];
  const engine = (...args: readonly string[]) =>
    execute(program, [...common, ...args], { maxBuffer: MAX_OUTPUT_BYTES });
  const inspect = async (what: string, path: string) =>
    (await engine("inspect", "--format", `{{${path}}}`, what)).stdout.trim();
  const container: Omit<ImageContainer, "sizeBytes"> = {
    async start(env) {
      const variables = Object.entries(env).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
      const volume = ["--volume", `${name}:/app/data`];
      await engine("run", "--detach", "--name", name, ...HARDENED, ...volume, ...variables, image);
    },
    async output() {
      const { stdout, stderr } = await engine("logs", name);
      return stdout + stderr;
    },
    run: async (...command) => (await engine("exec", name, ...command)).stdout,
    async checkHealth() {
      // A health check without a shell: `CMD`, then the program and its arguments.
      const [, ...check] = JSON.parse(
        await inspect(name, "json .Config.Healthcheck.Test"),
      ) as readonly string[];
      await engine("exec", name, ...check);
    },
    async stop() {
      await engine("stop", "--time", "12", name);
      return Number(await inspect(name, ".State.ExitCode"));
    },
    async [Symbol.asyncDispose]() {
      await engine("rm", "--force", "--volumes", name).catch(() => undefined);
      await engine("volume", "rm", "--force", name).catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    if (built === undefined) {
      await execute(BUILD, [folder, image], { maxBuffer: MAX_OUTPUT_BYTES });
    }
    return { ...container, sizeBytes: Number(await inspect(image, ".Size")) };
  } catch (error) {
    await container[Symbol.asyncDispose]();
    throw error;
  }
}

// Lays out the files of the container image, without its packages, in an empty folder as the Dockerfile says.
// test/long/image.test.ts builds the real image.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** An image's folder and the commands that it runs. */
export interface Image extends Disposable {
  readonly folder: string;
  /** Node's arguments in the last CMD. */
  readonly args: readonly string[];
  /** Node's arguments in the HEALTHCHECK. */
  readonly healthArgs: readonly string[];
}

/** Copies the files that the last stage copies from the project. */
export function layOutImage(): Image {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-image-"));
  const all = readFileSync(join(ROOT, "Dockerfile"), "utf8").split("\n");
  const lines = all.slice(all.findLastIndex((line) => line.startsWith("FROM ")));
  for (const line of lines) {
    const [, paths = ""] = /^COPY (?!--from)(.+)$/.exec(line) ?? [];
    const sources = paths.split(" ").slice(0, -1);
    for (const source of sources) {
      cpSync(join(ROOT, source), join(folder, source), { recursive: true });
    }
  }
  return {
    folder,
    args: readCommand(lines.findLast((line) => line.startsWith("CMD"))),
    // It is on its own line, below the options.
    healthArgs: readCommand(lines.find((line) => /^ +CMD/.test(line))),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function readCommand(line = ""): readonly string[] {
  const [, command = ""] = /^ *CMD (\[.+\])$/.exec(line) ?? [];
  // The Dockerfile's exec form is JSON: an array of strings.
  const [program, ...args] = JSON.parse(command) as readonly string[];
  if (program !== "node") {
    throw new Error(`the image starts ${program}, not node`);
  }
  return args;
}

/** A bot that was started as the image would start it. */
export interface RunningImage extends AsyncDisposable {
  /** All output so far. */
  output(): string;
}

/** Starts the image's command in its folder; settles when the bot is ready. */
export async function startImage(image: Image, env: Readonly<Record<string, string>>): Promise<RunningImage> {
  const child = spawn(process.execPath, image.args, {
    cwd: image.folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes("is ready")) {
          resolve();
        }
      });
    }
  });
  const exited = once(child, "exit");
  await Promise.race([
    ready,
    exited.then(([code]) => {
      throw new Error(`the container ended with ${code}: ${output}`);
    }),
  ]);
  return {
    output: () => output,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

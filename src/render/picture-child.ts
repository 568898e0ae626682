// One run of the picture process, from the bot's side.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Frame, createFrameReader, writeFrame } from "./picture-frames.ts";

const PROGRAM = fileURLToPath(new URL("picture-program.js", import.meta.url));
/** The bot's own: a small nursery and one helper thread; and that it may say when to tidy up. */
const FLAGS = ["--max-semi-space-size=2", "--v8-pool-size=1", "--expose-gc"];
/**
 * Nothing of the bot's environment, but how memory is used. glibc gives memory back at once as long as its limits stay
 * at their first values, for which they must be named, and its pools are few: measured 118 MB after six pictures
 * instead of 475, for a tenth more time. libvips writes pictures of 100 MB and more into files unless told otherwise.
 */
const ENVIRONMENT = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
  VIPS_BLOCK_UNTRUSTED: "1",
  VIPS_DISC_THRESHOLD: "1g",
};

/** A process that runs, or ran. */
export interface PictureChild {
  readonly pid: number | undefined;
  /** Whether it ever came so far as to take questions. */
  hasStarted(): boolean;
  /** Sends a question and waits for its answer; `undefined` where the process ended or talks nonsense. */
  exchange(question: object, pictures: readonly Uint8Array[]): Promise<Frame | undefined>;
  /** Ends it at once. */
  kill(): void;
  /** Settles when it is gone, with how that came about, e.g. `SIGKILL`. */
  readonly ended: Promise<string>;
}

/** Starts one. `program` is another only to see what becomes of one that does not start. */
export function startPictureChild(program = PROGRAM): PictureChild {
  const child = spawn(process.execPath, [...FLAGS, program], {
    env: ENVIRONMENT,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
    child.once("error", ({ message }) => resolve(message));
  });
  // Whoever waits for an answer learns from its end that a process is gone.
  child.stdin.on("error", () => undefined);
  const read = createFrameReader(child.stdout);
  const greeting = read();
  let isReady = false;
  return {
    pid: child.pid,
    hasStarted: () => isReady,
    async exchange(question, pictures) {
      isReady = (await greeting) !== undefined;
      writeFrame(child.stdin, question, pictures);
      return read();
    },
    kill: () => void child.kill("SIGKILL"),
    ended,
  };
}

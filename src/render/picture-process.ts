// The process in which pictures are decoded. It starts for the first picture and ends when none has come for a while.
//
// Why not in the bot itself? libvips has its own threads, so the bot's event loop stayed free there as well (p99 10 ms
// while it decoded pictures of 12 to 39 megapixels). But the bot's memory then grew by 440 MB for good, with peaks of
// 615 MB, whereas a process returns all its memory when it ends. A picture that crashes a decoder does not crash the
// bot, the work can be stopped at any time, and the formats that libvips must not read there stay allowed elsewhere
// (the sandbox draws SVG). picture-jail.ts says what a compromised decoder could reach.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pLimit from "p-limit";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { type Frame, createFrameReader, writeFrame } from "./picture-frames.ts";
import { jailCommand } from "./picture-jail.ts";
import { PICTURE_PROBLEMS, PictureError, type PreparedPicture } from "./pictures.ts";

/** The slowest picture within the limits takes 3 s, or 10 s on a busy machine. */
const PICTURE_TIMEOUT_MS = 30_000;
/** After this time without a picture, the process ends and frees 65 MB. A new start takes only 0.3 s. */
const IDLE_MS = 60_000;

export interface PictureProcessOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Starts the process itself. Only tests replace it. */
  readonly startPictureChild?: (() => PictureChild) | undefined;
}

/** Starts the process when it is first needed, and again after it has ended. */
export function createPictureProcess(options: PictureProcessOptions) {
  const { clock, log, startPictureChild: start = startPictureChild } = options;
  let running: PictureChild | undefined;
  let cancelRest: (() => void) | undefined;
  const inTurn = pLimit(1);
  let isClosed = false;

  function startChild(): PictureChild {
    const child = start();
    void child.ended.then(() => (running = running === child ? undefined : running));
    return child;
  }

  async function askNow(request: PictureRequest, pictures: readonly Uint8Array[]): Promise<PreparedPicture> {
    throwIfClosed();
    cancelRest?.();
    const child = (running ??= startChild());
    let isLate = false;
    const cancelLimit = clock.after(PICTURE_TIMEOUT_MS, () => {
      isLate = true;
      child.kill();
    });
    const frame = await child.exchange(request, pictures);
    cancelLimit();
    if (frame === undefined) {
      child.kill();
      const { how, isKilled } = await child.ended;
      const end = new Error(`the picture process ended: ${how}`);
      throwIfClosed();
      // A crash of a decoder ends the process by a signal. Any other exit is a bug of ours.
      if (!isKilled) {
        throw end;
      }
      // Logged here, because the member is only told that the picture is at fault, and refusals are logged without their
      // cause.
      log.warn({ how, isLate }, "picture process killed");
      throw new PictureError(isLate ? "too-slow" : "damaged", end);
    }
    cancelRest = clock.after(IDLE_MS, () => {
      running = undefined; // at once: the next request must not meet a process that is about to end
      child.kill();
    });
    return readResponse(frame);
  }

  function throwIfClosed(): void {
    if (isClosed) {
      throw new ServiceError("pictures", "aborted", "the picture process was closed");
    }
  }

  return {
    /**
     * Requests one picture at a time; further requests wait. Throws PictureError (`too-slow` after 30 s, `damaged` also
     * if the decoder crashed), ServiceError `aborted` after `close`, and any other Error for a bug.
     */
    ask: (request: PictureRequest, pictures: readonly Uint8Array[]) =>
      inTurn(() => askNow(request, pictures)),
    async close(): Promise<void> {
      isClosed = true;
      cancelRest?.();
      running?.kill();
      await running?.ended;
    },
  };
}

function readResponse({ message, pictures: [bytes] }: Frame): PreparedPicture {
  const answer = pictureResponse.parse(message);
  switch (answer.type) {
    case "picture":
      if (bytes === undefined) {
        throw new Error("the picture process answered without a picture");
      }
      return { ...answer, bytes };
    case "problem":
      throw new PictureError(answer.problem, new Error(answer.detail));
    case "bug":
      throw new Error(`the picture process failed: ${answer.detail}`);
  }
}

// The messages between the bot and its picture process. The process decodes strangers' files, so its responses are not
// trusted and are parsed with a schema.

export interface EncodeRequest {
  readonly do: "encode";
  readonly maxBytes: number;
  /** The limit of the longer side, in pixels. */
  readonly maxSide: number;
  /** The formats allowed for a picture with transparent pixels. An opaque one becomes JPEG. */
  readonly transparentAs: readonly ("png" | "webp")[];
}

/** Comes with two pictures: the base, and the one to lay over it. */
export interface BlendRequest {
  readonly do: "blend";
  /** 0 to 1. */
  readonly opacity: number;
  /** Whether the result gets the base's transparency unchanged. */
  readonly keepsAlpha: boolean;
}

/** A rectangle on the sheet, in pixels. */
export interface SheetCell {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Comes with the empty sheet, then a picture for each cell. */
export interface SheetRequest {
  readonly do: "sheet";
  readonly cells: readonly SheetCell[];
}

export type PictureRequest = EncodeRequest | BlendRequest | SheetRequest;

/** A response of type `picture` comes with one picture. */
const pictureResponse = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("picture"),
    contentType: z.enum(["image/jpeg", "image/png", "image/webp"]),
    width: z.int().positive(),
    height: z.int().positive(),
    wasAnimated: z.boolean(),
    wasReduced: z.boolean(),
  }),
  /** The picture cannot be used; `detail` is the decoder's message. */
  z.object({ type: z.literal("problem"), problem: z.enum(PICTURE_PROBLEMS), detail: z.string().optional() }),
  z.object({ type: z.literal("bug"), detail: z.string() }),
]);

export type PictureResponse = z.output<typeof pictureResponse>;

const PROGRAM = fileURLToPath(new URL("picture-program.js", import.meta.url));
/** As for the bot: a small young generation and one helper thread. Also lets the program trigger garbage collection. */
const FLAGS = ["--max-semi-space-size=2", "--v8-pool-size=1", "--expose-gc"];
/**
 * None of the bot's environment, only settings for memory. glibc returns memory at once if there are few arenas and its
 * thresholds are set explicitly, which stops it from raising them: measured 118 MB after six pictures instead of 475,
 * for a tenth more time. By default, libvips would write pictures of 100 MB and more to files.
 */
const ENVIRONMENT = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
  VIPS_BLOCK_UNTRUSTED: "1",
  VIPS_DISC_THRESHOLD: "1g",
};

/** How many characters of the process's standard error are kept for the log, e.g. why sharp could not be loaded. */
const STDERR_LIMIT = 2_000;

export type PictureChild = ReturnType<typeof startPictureChild>;

/** Runs the program once outside the read-only jail, so that Node stores its compiled code for later starts. */
export async function compilePictureProgram(): Promise<void> {
  await once(spawn(process.execPath, [...FLAGS, PROGRAM], { env: ENVIRONMENT, stdio: "ignore" }), "exit");
}

/** Starts the process. Only tests pass another `program`, one that does not start. */
export function startPictureChild(program = PROGRAM) {
  const { file, args, env } = jailCommand(FLAGS, program);
  const child = spawn(file, args, { env: { ...ENVIRONMENT, ...env } });
  let stderrTail = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderrTail = (stderrTail + text).slice(-STDERR_LIMIT);
  });
  const ended = new Promise<{ readonly how: string; readonly isKilled: boolean }>((resolve) => {
    child.once("close", (code, signal) =>
      resolve({ how: signal ?? `exit code ${code}: ${stderrTail}`, isKilled: signal !== null }),
    );
    child.once("error", ({ message }) => resolve({ how: message, isKilled: false }));
  });
  // Callers learn from `ended` that the process is gone, so errors of the pipe are ignored.
  child.stdin.on("error", () => undefined);
  const read = createFrameReader(child.stdout);
  return {
    pid: child.pid,
    /** Sends a request and waits for the response; `undefined` if the process ended or its output is invalid. */
    exchange(request: object, pictures: readonly Uint8Array[]): Promise<Frame | undefined> {
      writeFrame(child.stdin, request, pictures);
      return read();
    },
    kill(): void {
      // `close` is emitted only once the output has been read or discarded, and nobody reads the rest.
      child.stdout.destroy();
      child.kill("SIGKILL");
    },
    /**
     * Resolves when the process has ended, with its signal, e.g. `SIGKILL`, or its exit code and the end of its standard
     * error.
     */
    ended,
  };
}

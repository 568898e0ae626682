// The process that pictures are decoded in. It is started when the first one comes and ends when none has come for a
// while.
//
// Why not in the bot itself: libvips works on threads of its own, and the bot's event loop stayed free there as well
// (p99 10 ms while pictures of 12 to 39 megapixels passed). But afterwards the bot was 440 MB larger than before, for
// good, with peaks of 615 MB; a process gives everything back when it ends. It also cannot take the bot with it when a
// picture breaks a decoder, it can be stopped in the middle, and what libvips is forbidden there stays allowed elsewhere
// (the sandbox draws SVG). picture-jail.ts says what a broken decoder could reach from there.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pLimit from "p-limit";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import { type Frame, createFrameReader, writeFrame } from "./picture-frames.ts";
import { jailCommand } from "./picture-jail.ts";
import { PICTURE_PROBLEMS, PictureError } from "./pictures.ts";

/** The slowest that is let in takes 3 s, and 10 on a machine that has much else to do. */
const PICTURE_TIMEOUT_MS = 30_000;
/** A start takes 0.3 s: soon enough for the next picture of a conversation, and then 65 MB are free again. */
const IDLE_MS = 60_000;

export type MadePicture = Extract<PictureResponse, { readonly type: "picture" }> & {
  readonly bytes: Uint8Array;
};

/** The process, whether it runs or not. Starts nothing yet. */
export function createPictureProcess({
  clock,
  start = startPictureChild,
}: {
  readonly clock: Clock;
  readonly start?: () => PictureChild;
}) {
  let running: PictureChild | undefined;
  let cancelRest: (() => void) | undefined;
  const inTurn = pLimit(1);
  let isClosed = false;

  function startChild(): PictureChild {
    const child = start();
    void child.ended.then(() => (running = running === child ? undefined : running));
    return child;
  }

  async function askNow(request: PictureRequest, pictures: readonly Uint8Array[]): Promise<MadePicture> {
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
      // What a decoder does wrong ends in a signal; whatever ends by itself is ours.
      throw isKilled ? new PictureError(isLate ? "too-slow" : "damaged", end) : end;
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
     * Asks for one picture at a time; others wait their turn. Throws PictureError (`too-slow` after 30 s on the clock,
     * `damaged` also where the decoder fell over), ServiceError `aborted` once closed, an Error for a bug.
     */
    ask: (request: PictureRequest, pictures: readonly Uint8Array[]): Promise<MadePicture> =>
      inTurn(() => askNow(request, pictures)),
    async close(): Promise<void> {
      isClosed = true;
      cancelRest?.();
      running?.kill();
      await running?.ended;
    },
  };
}

function readResponse({ message, pictures: [bytes] }: Frame): MadePicture {
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

// What the bot and its picture process say to each other. The process decodes what strangers made, so its answers are
// parsed like a stranger's.

export interface EncodeRequest {
  readonly do: "encode";
  readonly maxBytes: number;
  /** The longer side. */
  readonly maxSide: number;
  /** What a picture that shows through may become. An opaque one becomes JPEG. */
  readonly transparentAs: readonly ("png" | "webp")[];
}

/** Two pictures come with it: what lies below, what lies above. */
export interface BlendRequest {
  readonly do: "blend";
  /** 0 to 1. */
  readonly opacity: number;
  /** What shows through is the lower picture's affair alone. */
  readonly keepsAlpha: boolean;
}

/** A part of a picture, in pixels. */
export interface SheetCell {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** What they are laid on comes with it, then a picture for each cell. */
export interface SheetRequest {
  readonly do: "sheet";
  readonly cells: readonly SheetCell[];
}

export type PictureRequest = EncodeRequest | BlendRequest | SheetRequest;

/** One picture comes with the first. */
const pictureResponse = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("picture"),
    contentType: z.enum(["image/jpeg", "image/png", "image/webp"]),
    width: z.int().positive(),
    height: z.int().positive(),
    wasAnimated: z.boolean(),
    wasReduced: z.boolean(),
  }),
  /** The picture cannot be used; `detail` is the decoder's own word. */
  z.object({ type: z.literal("problem"), problem: z.enum(PICTURE_PROBLEMS), detail: z.string().optional() }),
  z.object({ type: z.literal("bug"), detail: z.string() }),
]);

export type PictureResponse = z.output<typeof pictureResponse>;

const PROGRAM = fileURLToPath(new URL("picture-program.js", import.meta.url));
/** As the bot's own: a small young generation and one helper thread; and that it may start collections itself. */
const FLAGS = ["--max-semi-space-size=2", "--v8-pool-size=1", "--expose-gc"];
/**
 * Nothing of the bot's environment, but how memory is used. glibc gives memory back at once as long as its limits stay
 * at their first values, for which they must be named, and its pools are few: measured 118 MB after six pictures
 * instead of 475, for a tenth more time. libvips writes pictures of 100 MB and more into files by default.
 */
const ENVIRONMENT = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
  VIPS_BLOCK_UNTRUSTED: "1",
  VIPS_DISC_THRESHOLD: "1g",
};

export type PictureChild = ReturnType<typeof startPictureChild>;

/** Loads all that the process runs, outside of the jail, where nothing can be kept: the compiled code is, for each start. */
export async function compilePictureProgram(): Promise<void> {
  await once(spawn(process.execPath, [...FLAGS, PROGRAM], { env: ENVIRONMENT, stdio: "ignore" }), "exit");
}

/** Starts one run of the process. `program` is another only to see what becomes of one that does not start. */
export function startPictureChild(program = PROGRAM) {
  const { file, args, env } = jailCommand(FLAGS, program);
  const child = spawn(file, args, { env: { ...ENVIRONMENT, ...env }, stdio: ["pipe", "pipe", "ignore"] });
  const ended = new Promise<{ readonly how: string; readonly isKilled: boolean }>((resolve) => {
    child.once("exit", (code, signal) =>
      resolve({ how: signal ?? `exit code ${code}`, isKilled: signal !== null }),
    );
    child.once("error", ({ message }) => resolve({ how: message, isKilled: false }));
  });
  // Callers that wait for an answer learn from its end that a process is gone.
  child.stdin.on("error", () => undefined);
  const read = createFrameReader(child.stdout);
  return {
    pid: child.pid,
    /** Sends a question and waits for its answer; `undefined` where the process ended or talks nonsense. */
    exchange(request: object, pictures: readonly Uint8Array[]): Promise<Frame | undefined> {
      writeFrame(child.stdin, request, pictures);
      return read();
    },
    kill: () => void child.kill("SIGKILL"),
    /** Resolves when it has ended, with how it ended, e.g. `SIGKILL`, and whether a signal ended it. */
    ended,
  };
}

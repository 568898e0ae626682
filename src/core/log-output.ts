// Where log lines go: a file, a pipe or a terminal. One that takes nothing costs lines, never the process.
import { writeSync } from "node:fs";

/** Takes whole lines. */
export interface LogOutput {
  write(line: string): unknown;
}

/** How long to wait for the reader of a pipe that is full. */
const PIPE_RETRY_MS = 50;

/**
 * Writes lines to an open file at once, so that a crash loses none. A line that cannot be written, e.g. on a full disk,
 * is dropped; before the next one that can, `formatLoss` gives the line that says how many were.
 */
export function createLogOutput(file: number, formatLoss: (lines: number) => string): LogOutput {
  let lost = 0;
  /** The end of a line whose beginning was written. */
  let rest = Buffer.alloc(0);

  /** False where nothing of the line was written. */
  function put(line: string): boolean {
    rest = writeBytes(file, rest);
    if (rest.length > 0) {
      return false;
    }
    const bytes = Buffer.from(line);
    const left = writeBytes(file, bytes);
    if (left.length === bytes.length) {
      return false;
    }
    rest = left;
    return true;
  }

  return {
    write(line) {
      if (lost > 0 && put(formatLoss(lost))) {
        lost = 0;
      }
      if (lost > 0 || !put(line)) {
        lost += 1;
      }
    },
  };
}

/** Gives what could not be written. */
function writeBytes(file: number, bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  let left = bytes;
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(file, left));
    } catch (error) {
      if (!isPipeFull(error)) {
        return left;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PIPE_RETRY_MS);
    }
  }
  return left;
}

function isPipeFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}

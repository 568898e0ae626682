import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const IN_MEMORY = "/dev/shm";
const ROOM_BYTES = 1_000_000_000;

/**
 * The folder for databases of tests: in memory, if the machine has such a folder with enough room. A bot writes each
 * change through to the disk, which takes most of its time. These tests kill processes, not the machine, so they do not
 * need that.
 */
export const MEMORY_FOLDER = hasRoom() ? IN_MEMORY : tmpdir();

function hasRoom(): boolean {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}

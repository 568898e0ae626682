// A real disk of 2 MB that a test can fill, if the user may mount one.
import { execFileSync } from "node:child_process";
import { appendFile, mkdir, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";

const PAGE_BYTES = 4_096;

interface SmallDisk extends AsyncDisposable {
  readonly folder: string;
  /** Fills the remaining space. */
  fill(): Promise<void>;
  /** Frees this much of it; all by default. */
  free(sizeBytes?: number): Promise<void>;
}

/** Mounts a disk below `parent`; `undefined` if this user may not. */
export async function mountSmallDisk(parent: string): Promise<SmallDisk | undefined> {
  const folder = join(parent, "disk");
  await mkdir(folder);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  const filler = join(folder, "filler");
  return {
    folder,
    async fill() {
      for (;;) {
        try {
          await appendFile(filler, Buffer.alloc(PAGE_BYTES));
        } catch {
          return;
        }
      }
    },
    async free(sizeBytes) {
      if (sizeBytes === undefined) {
        await rm(filler);
      } else {
        await truncate(filler, (await stat(filler)).size - sizeBytes);
      }
    },
    // A process with an open file keeps the disk until it closes the file.
    [Symbol.asyncDispose]: async () => void execFileSync("umount", ["--lazy", folder]),
  };
}

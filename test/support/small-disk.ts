// A real disk of 2 MB that a test can fill, where the user may mount one.
import { execFileSync } from "node:child_process";
import { appendFile, mkdir, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";

const PAGE_BYTES = 4_096;

interface SmallDisk extends AsyncDisposable {
  readonly folder: string;
  /** Takes up all the space that is left. */
  fill(): Promise<void>;
  /** Gives so much of it back; default all. */
  free(sizeBytes?: number): Promise<void>;
}

/** Mounts one below `parent`; `undefined` where this user may not. */
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
    // What still has a file open there keeps the disk until it is closed.
    [Symbol.asyncDispose]: async () => void execFileSync("umount", ["--lazy", folder]),
  };
}

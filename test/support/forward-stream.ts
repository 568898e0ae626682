// A program: uploads the file at one address to another as a form, and prints how much the process's memory grew.
import { readFile } from "node:fs/promises";
import { systemClock } from "../../src/core/clock.ts";
import { createHttp } from "../../src/core/http.ts";
import { loadFormData, loadUndici } from "../../src/core/late-libraries.ts";
import { createLog } from "../../src/core/log.ts";
import { createMultipart } from "../../src/core/multipart.ts";

const [from = "", to = ""] = process.argv.slice(2);
const http = createHttp({ clock: systemClock, log: createLog({ level: "silent", secrets: [] }) });
const about = { service: "video", verb: "forward", idleMs: 10_000, maxBytes: 2 ** 30 } as const;
// Loaded first, because they take memory only once.
loadUndici();
loadFormData();
const before = process.memoryUsage.rss();
const { headers, body } = await http.open({ ...about, url: new URL(from) });
const content = { sizeBytes: Number(headers["content-length"]), open: () => body };
const form = createMultipart([{ name: "source", fileName: "video.mp4", contentType: "video/mp4", content }]);
const { status } = await http.upload({ ...about, method: "POST", url: new URL(to), body: form });
const grownBytes = (await readPeakKilobytes()) * 1024 - before;
process.stdout.write(JSON.stringify({ status, grownBytes }));
await http.close();

/** The peak memory of this process. On Linux, `maxRSS` is not used because it is at least the parent's. */
async function readPeakKilobytes(): Promise<number> {
  if (process.platform !== "linux") {
    return process.resourceUsage().maxRSS;
  }
  const told = await readFile("/proc/self/status", "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(told)?.[1]);
}

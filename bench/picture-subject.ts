// A process that contains only the picture tools, started like the bot. Its parent sends the name of a file; it
// processes the picture as for a restyled one and reports the cost.
import { readFile } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { systemClock } from "../src/core/clock.ts";
import { createLog } from "../src/core/log.ts";
import { createPictureTools } from "../src/render/picture-tools.ts";

/** The message to the parent. */
export interface PictureCost {
  readonly milliseconds: number;
  /** Since the start, as Node measures it: an idle loop shows the resolution. */
  readonly delayP99Ms: number;
}

const RESOLUTION_MS = 1;
const LIMITS = { maxBytes: 8_000_000, maxSide: 2_048 };
/** Discord's own limit for a file. */
const UPLOAD_BYTES = 10 * 1_048_576;

const tools = createPictureTools({ clock: systemClock, log: createLog({ level: "silent", secrets: [] }) });
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

// The parent sends nothing but paths.
process.on("message", (file) => void pass(file as string));
process.once("disconnect", () => process.exit());
process.send?.("ready");

async function pass(file: string): Promise<void> {
  delay.enable();
  const bytes = await readFile(file);
  const startMs = performance.now();
  await tools.prepare(bytes, LIMITS);
  const received = await tools.fit(bytes);
  await tools.fit(received.bytes, 1_500_000, 1_600);
  await tools.fit(received.bytes, UPLOAD_BYTES);
  const milliseconds = performance.now() - startMs;
  delay.disable();
  const cost: PictureCost = { milliseconds, delayP99Ms: delay.percentile(99) / 1e6 };
  process.send?.(cost);
}

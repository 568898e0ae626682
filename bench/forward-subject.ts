// A process that contains only the bot's own code for streaming a video, started like the bot. Its parent sends the
// source and the target; it forwards the file and reports how long that took.
import { createVideoClient } from "../src/videos/client/video-client.ts";
import type { FileSource } from "../src/core/attachments.ts";
import { systemClock } from "../src/core/clock.ts";
import { createHttp } from "../src/core/http.ts";
import { loadFormData, loadUndici } from "../src/core/late-libraries.ts";
import { createLog } from "../src/core/log.ts";

/** The message of its parent. */
export interface ForwardTask {
  readonly way: "one form" | "pieces";
  readonly from: string;
  readonly to: string;
  readonly token: string;
  readonly sizeBytes: number;
}

/** Its answer. */
export interface ForwardTime {
  readonly milliseconds: number;
}

const IDLE_MS = 30_000;

const log = createLog({ level: "error", secrets: [] });
const http = createHttp({ clock: systemClock, log });

// The parent sends nothing but tasks.
process.on("message", (task) => void forward(task as ForwardTask));
process.once("disconnect", () => process.exit());
loadUndici();
loadFormData();
process.send?.("ready");

async function forward({ way, from, to, token, sizeBytes }: ForwardTask): Promise<void> {
  const client = createVideoClient({
    http,
    baseUrl: new URL(to),
    version: "v26.0",
    tokenIn: "header",
    clock: systemClock,
    log,
  });
  const about = {
    service: "discord",
    verb: "attachment",
    url: new URL(`${from}?bytes=${sizeBytes}`),
    idleMs: IDLE_MS,
  } as const;
  const source: FileSource = {
    sizeBytes,
    fileName: "video.mp4",
    contentType: "video/mp4",
    async open(fromByte) {
      const range = fromByte > 0 && { headers: { range: `bytes=${fromByte}-` } };
      return (await http.open({ ...about, ...range, maxBytes: sizeBytes })).body;
    },
  };
  const account = { token };
  const startMs = performance.now();
  if (way === "one form") {
    await client.uploadSimple(account, { source });
  } else {
    const session = await client.startUpload(account, sizeBytes);
    await client.finishUpload(account, await client.sendPieces({ account, source, session }), {});
  }
  const time: ForwardTime = { milliseconds: performance.now() - startMs };
  process.send?.(time);
}

// The real video client with the sandbox's video service, and a clock that is advanced while somebody waits.
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { createSandboxClock, type SandboxClock } from "../../sandbox/clock/clock.ts";
import {
  startVideoStandIn,
  type VideoStandIn,
  type VideoStandInOptions,
} from "../../sandbox/video/server.ts";
import type { VideoAccount } from "../../src/videos/client/account.ts";
import { createVideoClient, type VideoClient } from "../../src/videos/client/video-client.ts";
import type { VideoApiDependencies } from "../../src/videos/client/video-api.ts";
import type { PiecesRequest, UploadSession } from "../../src/videos/client/upload-session.ts";
import { ServiceError } from "../../src/core/errors.ts";
import type { FileSource } from "../../src/core/attachments.ts";
import type { Clock } from "../../src/core/clock.ts";
import { createHttp } from "../../src/core/http.ts";
import { collectLog } from "./collect-log.ts";
import { watchSettled } from "./until.ts";

export interface OpenVideo {
  readonly client: VideoClient;
  readonly standIn: VideoStandIn;
  readonly clock: SandboxClock;
  /** The same clock for code that waits; `advanceUntil` advances it through the waits. */
  readonly waitingClock: Clock;
  /** The page's account, with every permission. */
  readonly account: VideoAccount;
  /** The client's log lines. */
  readonly lines: readonly string[];
  /**
   * Advances the clock through the client's waits until a promise settles; timeouts, which are much later, do not
   * fire.
   */
  readonly advanceUntil: <T>(waiting: Promise<T>) => Promise<T>;
}

export interface OpenVideoOptions extends Partial<Omit<VideoStandInOptions, "clock">> {
  readonly tokenIn?: VideoApiDependencies["tokenIn"];
  readonly appSecret?: string;
  /** The API version that the client uses; the newest by default. */
  readonly version?: string;
}

/** The most failures in a row without progress. */
const MAX_FAILURES = 5;

/**
 * Sends the pieces. After each transient failure it continues from the last reported session, as a publication does.
 */
export async function sendAllPieces(client: VideoClient, request: PiecesRequest): Promise<UploadSession> {
  let { session } = request;
  for (let failures = 0; ;) {
    try {
      return await client.sendPieces({
        ...request,
        session,
        async onSession(next) {
          session = next;
          failures = 0;
          await request.onSession?.(next);
        },
      });
    } catch (error) {
      failures += 1;
      const isTransient = error instanceof ServiceError && TRANSIENT.has(error.kind);
      if (!isTransient || failures === MAX_FAILURES) {
        throw error;
      }
    }
  }
}

const TRANSIENT: ReadonlySet<string> = new Set(["unavailable", "timeout"]);

const LONGEST_WAIT_MS = 20_000;

/** Opens both; they close when the test ends, or earlier by `close`. */
export async function openVideo(
  options: OpenVideoOptions = {},
): Promise<OpenVideo & { readonly close: () => Promise<void> }> {
  const { tokenIn = "header", appSecret, version = "v26.0", ...settings } = options;
  const clock = createSandboxClock({ atMs: Date.parse("2026-11-18T17:20:00Z"), mode: "still" });
  const standIn = await startVideoStandIn({ clock, ...settings });
  /** The end of each wait of the client; time limits are longer than waits. */
  const waits = new Set<number>();
  const clientClock: Clock = {
    ...clock,
    after(delayMs, callback) {
      const dueMs = clock.now() + delayMs;
      if (delayMs > LONGEST_WAIT_MS) {
        return clock.after(delayMs, callback);
      }
      waits.add(dueMs);
      const cancel = clock.after(delayMs, () => {
        waits.delete(dueMs);
        callback();
      });
      return () => {
        waits.delete(dueMs);
        cancel();
      };
    },
  };
  const { log, lines } = collectLog("debug");
  const http = createHttp({ clock: clientClock, log, random: () => 0 });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) {
      isOpen = false;
      await http.close();
      await standIn.close();
      clock.stop();
    }
  };
  onTestFinished(close);
  const baseUrl = new URL(standIn.baseUrl);
  return {
    client: createVideoClient({ baseUrl, version, tokenIn, appSecret, http, clock: clientClock, log }),
    standIn,
    clock,
    waitingClock: clientClock,
    account: { token: standIn.tokens.page },
    lines,
    close,
    async advanceUntil(waiting) {
      const isSettled = watchSettled(waiting);
      while (!isSettled()) {
        await new Promise((resolve) => setImmediate(resolve));
        const nextMs = Math.min(...waits);
        if (Number.isFinite(nextMs)) {
          await clock.advance(Math.max(0, nextMs - clock.now()));
        }
      }
      return waiting;
    },
  };
}

/** Returns bytes that vary with the position; always the same for the same size. */
export function videoBytes(sizeBytes: number): Buffer {
  const pattern = createHash("sha512").update(String(sizeBytes)).digest();
  const bytes = Buffer.alloc(sizeBytes);
  for (let at = 0; at < sizeBytes; at += 1) {
    bytes[at] = (pattern[at % 61] ?? 0) + (at >> 8);
  }
  return bytes;
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** A file source for these bytes, which are read in pieces. */
export function sourceOf(
  bytes: Uint8Array,
  { chunkBytes = 1_000, fileName = "IMG_0001.mp4" }: { chunkBytes?: number; fileName?: string } = {},
): FileSource & { readonly opened: number[] } {
  const opened: number[] = [];
  return {
    sizeBytes: bytes.byteLength,
    fileName,
    contentType: "video/mp4",
    opened,
    async open(fromByte) {
      opened.push(fromByte);
      return Readable.from(piecesOf(bytes.subarray(fromByte), chunkBytes), { objectMode: false });
    },
  };
}

function* piecesOf(bytes: Uint8Array, chunkBytes: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) {
    yield bytes.subarray(at, at + chunkBytes);
  }
}

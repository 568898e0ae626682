// Tests uploads between two unreliable servers: Discord's CDN, and a service that answers too early.
import { type RequestListener, createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createVideoClient } from "../../../src/videos/client/video-client.ts";
import type { UploadSession } from "../../../src/videos/client/upload-session.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { createHttp } from "../../../src/core/http.ts";
import { createLog } from "../../../src/core/log.ts";
import { createAttachments } from "../../../src/core/attachments.ts";
import { sampleVideo, startFileServer } from "../../support/publish-video.ts";
import { openVideo, sendAllPieces, sha256, sourceOf, videoBytes } from "../../support/video-stand-in.ts";
import { failureOf } from "../../support/outcomes.ts";
import { close, listen } from "../../../sandbox/http/listen.ts";

const BYTES = sampleVideo(300_000);
const log = createLog({ level: "silent", secrets: [] });

/** Opens a client of the stand-in, and a source on a file server. */
async function openUpload() {
  const open = await openVideo({ windowBytes: () => 100_000 });
  const files = await startFileServer();
  const http = createHttp({ clock: open.waitingClock, log });
  onTestFinished(async () => {
    await http.close();
    await files.close();
  });
  const sources = createAttachments({ http, hosts: [files.host], clock: open.waitingClock });
  const about = { sizeBytes: BYTES.byteLength, fileName: "day.mp4", contentType: "video/mp4" };
  return { ...open, files, source: sources.source({ url: files.put("day.mp4", BYTES), ...about }) };
}

/** Opens a client of a service that handles requests with this listener only. */
async function openService(listener: RequestListener) {
  const server = createServer(listener);
  const baseUrl = new URL(await listen(server, 0));
  const http = createHttp({ clock: systemClock, log });
  onTestFinished(async () => {
    await http.close();
    await close(server);
  });
  return createVideoClient({ http, baseUrl, version: "v26.0", tokenIn: "header", clock: systemClock, log });
}

describe("a CDN", () => {
  test("that stalls in the middle of a piece is read again from the piece's beginning", async () => {
    const { client, account, standIn, files, source, clock, advanceUntil } = await openUpload();
    files.holdAfterBytes = 130_000;
    let doneBytes = 0;
    const session = await client.startUpload(account, BYTES.byteLength);
    const sent = sendAllPieces(client, {
      account,
      source,
      session,
      onProgress: (byte) => (doneBytes = byte),
    });
    await expect.poll(() => doneBytes).toBe(130_000);
    files.holdAfterBytes = undefined;
    // The CDN may be silent for this long; the service would wait longer.
    await clock.advance(60_000);
    await client.finishUpload(account, await advanceUntil(sent), {});
    expect(files.asked).toEqual([0, 100_000]);
    expect(standIn.videos()).toMatchObject([{ file: { sha256: sha256(BYTES) } }]);
  });

  test("that breaks off repeatedly, a little further each time, does not stop the upload", async () => {
    const { client, account, standIn, files, source, advanceUntil } = await openUpload();
    files.breakAfterBytes = 110_000;
    const session = await client.startUpload(account, BYTES.byteLength);
    const done = await advanceUntil(sendAllPieces(client, { account, source, session }));
    await client.finishUpload(account, done, {});
    expect(files.asked).toEqual([0, 100_000, 200_000]);
    expect(standIn.videos()).toMatchObject([{ file: { sha256: sha256(BYTES) } }]);
  });

  test("whose link expires ends the upload, but the session can be resumed", async () => {
    const { client, account, files, source, advanceUntil } = await openUpload();
    files.breakAfterBytes = 110_000;
    const sessions: UploadSession[] = [];
    const session = await client.startUpload(account, BYTES.byteLength);
    const sent = sendAllPieces(client, {
      account,
      source,
      session,
      async onSession(next) {
        sessions.push(next);
        files.status = 404;
      },
    });
    expect(await failureOf(advanceUntil(sent))).toMatchObject({ service: "discord", kind: "not-found" });
    expect(sessions.at(-1)?.next).toMatchObject({ startByte: 100_000 });
  });
});

describe("a service that answers before it has read the request", () => {
  const refuse = (status: number, body: string): RequestListener => {
    return (request, response) => {
      request.once("readable", () => response.writeHead(status).end(body));
    };
  };
  const large = sourceOf(videoBytes(20_000_000), { chunkBytes: 65_536 });
  const session: UploadSession = {
    sessionId: "1",
    videoId: undefined,
    sizeBytes: 20_000_000,
    next: { startByte: 0, endByte: 20_000_000 },
  };

  test.each([
    [413, "<h1>Too large</h1>", { kind: "too-large", status: 413 }],
    [400, '{"error":{"code":352}}', { kind: "rejected", trouble: "format", status: 400 }],
    [401, '{"error":{"code":190}}', { kind: "unauthorised", trouble: "token-dead", status: 401 }],
  ] as const)("with %i is understood, and the outcome is known", async (status, body, expected) => {
    const client = await openService(refuse(status, body));
    const account = { token: "a-page" };
    expect(await failureOf(client.uploadSimple(account, { source: large }))).toMatchObject(expected);
    const sent = client.sendPieces({ account, source: large, session });
    expect(await failureOf(sent)).toMatchObject(expected);
  });
});

test("a service that hangs up after each answer still gets every piece", async () => {
  const pieces = new Set<number>();
  const client = await openService((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
    request.on("end", () => {
      const startByte = Number(/name="start_offset"\r\n\r\n(\d+)/.exec(text)?.[1]);
      pieces.add(startByte);
      // No header announces that the connection will close.
      response.end(
        JSON.stringify({ start_offset: startByte + 50_000, end_offset: startByte + 100_000 }),
        () => request.socket.end(),
      );
    });
  });
  const done = await sendAllPieces(client, {
    account: { token: "a-page" },
    source: sourceOf(BYTES),
    session: {
      sessionId: "1",
      videoId: undefined,
      sizeBytes: BYTES.byteLength,
      next: { startByte: 0, endByte: 50_000 },
    },
  });
  expect(done.next).toBe("done");
  // A piece arrives twice if the service hangs up in the middle of it.
  expect([...pieces]).toEqual([0, 50_000, 100_000, 150_000, 200_000, 250_000]);
});

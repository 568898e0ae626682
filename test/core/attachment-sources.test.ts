import type { ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { createHttp } from "../../src/core/http.ts";
import { createLog } from "../../src/core/log.ts";
import { createAttachments } from "../../src/core/attachments.ts";
import { sampleVideo, startFileServer } from "../support/publish-video.ts";
import { startStub } from "../support/stub-server.ts";
import { failureOf } from "../support/outcomes.ts";

async function openSources() {
  const files = await startFileServer();
  const http = createHttp({ clock: systemClock, log: createLog({ level: "silent", secrets: [] }) });
  onTestFinished(async () => {
    await http.close();
    await files.close();
  });
  const bytes = sampleVideo(100_000);
  const url = files.put("day.mp4", bytes);
  const attachment = { url, sizeBytes: bytes.byteLength, fileName: "day.mp4", contentType: "video/mp4" };
  return {
    files,
    bytes,
    attachment,
    sources: createAttachments({ http, hosts: [files.host], clock: systemClock }),
  };
}

/** An attachment announced with 8 bytes, on a server that answers as the test says. */
async function openFile(answer: (response: ServerResponse, range: string | undefined) => void) {
  const stub = await startStub((request, response) => answer(response, request.headers.range));
  const http = createHttp({ clock: systemClock, log: createLog({ level: "silent", secrets: [] }) });
  onTestFinished(async () => {
    await http.close();
    await stub[Symbol.asyncDispose]();
  });
  const { host, href: url } = stub.url;
  return {
    attachment: { url, sizeBytes: 8, fileName: "day.mp4", contentType: "video/mp4" },
    sources: createAttachments({ http, hosts: [host], clock: systemClock }),
  };
}

describe("a large attachment", () => {
  it("gives its first 4,096 bytes and its size", async () => {
    const { bytes, attachment, sources } = await openSources();
    const { firstBytes, sizeBytes } = await sources.readStart(attachment.url);
    expect(Buffer.from(firstBytes).equals(bytes.subarray(0, 4096))).toBe(true);
    expect(sizeBytes).toBe(bytes.byteLength);
  });

  it("gives no bytes and a size of 0 if it is empty", async () => {
    const { sources, attachment } = await openFile((response) => response.writeHead(416).end());
    expect(await sources.readStart(attachment.url)).toEqual({ firstBytes: new Uint8Array(), sizeBytes: 0 });
  });

  it("can be read from the start or from any position", async () => {
    const { bytes, attachment, sources } = await openSources();
    const source = sources.source(attachment);
    expect((await buffer(await source.open(0))).equals(bytes)).toBe(true);
    expect((await buffer(await source.open(60_000))).equals(bytes.subarray(60_000))).toBe(true);
  });

  it.each([
    [404, "not-found"],
    [403, "not-found"],
    [500, "unavailable"],
    [429, "rate-limited"],
  ] as const)("fails if the CDN answers %i, with the kind %s", async (status, kind) => {
    const { files, attachment, sources } = await openSources();
    files.status = status;
    expect(await failureOf(sources.readStart(attachment.url))).toMatchObject({ service: "discord", kind });
    expect(await failureOf(sources.source(attachment).open(0))).toMatchObject({ service: "discord", kind });
  });

  it("is refused if its size differs from the announced one", async () => {
    const { attachment, sources } = await openSources();
    for (const sizeBytes of [50_000, 200_000]) {
      const source = sources.source({ ...attachment, sizeBytes });
      expect(await failureOf(source.open(0))).toMatchObject({ kind: "unexpected-answer" });
    }
  });

  it("fails beyond the announced size if the CDN sends no content length", async () => {
    const { sources, attachment } = await openFile((response) => {
      response.write("01234");
      response.end("56789");
    });
    const body = await sources.source(attachment).open(0);
    expect(await failureOf(buffer(body))).toMatchObject({ kind: "too-large" });
  });

  it.each([
    ["by its size", { "content-range": "bytes 3-8/9", etag: '"one"' }],
    ["by its name", { "content-range": "bytes 3-7/8", etag: '"two"' }],
  ])("does not continue if the file has changed, as seen %s", async (_, headers) => {
    const { sources, attachment } = await openFile((response, range) =>
      range === undefined
        ? response.writeHead(200, { "content-length": 8, etag: '"one"' }).end("01234567")
        : response.writeHead(206, headers).end("34567"),
    );
    const source = sources.source(attachment);
    expect(String(await buffer(await source.open(0)))).toBe("01234567");
    expect(await failureOf(source.open(3))).toMatchObject({ kind: "unexpected-answer", service: "discord" });
  });

  it("does not continue at a position that the file does not have", async () => {
    const { sources, attachment } = await openFile((response) => response.writeHead(416).end());
    expect(await failureOf(sources.source(attachment).open(3))).toMatchObject({ kind: "unexpected-answer" });
  });

  it.each([
    ["the whole file", 200, { "content-length": 8 }],
    ["another part", 206, { "content-range": "bytes 2-7/8" }],
  ])("does not continue if the CDN sends %s", async (_, status, headers) => {
    const { sources, attachment } = await openFile((response) =>
      response.writeHead(status, headers).end("01234567"),
    );
    expect(await failureOf(sources.source(attachment).open(3))).toMatchObject({ kind: "unexpected-answer" });
  });

  it("stops when its signal aborts", async () => {
    const { files, attachment, sources } = await openSources();
    files.holdAfterBytes = 10_000;
    const stop = new AbortController();
    const body = await sources.source(attachment, stop.signal).open(0);
    const failure = failureOf(buffer(body));
    stop.abort();
    expect(await failure).toMatchObject({ kind: "aborted" });
  });
});

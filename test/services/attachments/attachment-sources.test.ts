import { buffer } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import { createHttp } from "../../../src/core/http.ts";
import { createLog } from "../../../src/core/log.ts";
import { createAttachmentSources } from "../../../src/services/attachments/attachment-sources.ts";
import { sampleVideo, startFileServer } from "../../support/publish-video.ts";
import { failureOf } from "../../support/video-stand-in.ts";

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
    sources: createAttachmentSources({ http, hosts: [files.host], clock: systemClock }),
  };
}

describe("a large attachment", () => {
  it("is looked at by its beginning, and tells its size", async () => {
    const { bytes, attachment, sources } = await openSources();
    const { firstBytes, sizeBytes } = await sources.look(attachment.url);
    expect(Buffer.from(firstBytes).equals(bytes.subarray(0, 4096))).toBe(true);
    expect(sizeBytes).toBe(bytes.byteLength);
  });

  it("is read whole, and from anywhere", async () => {
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
  ] as const)("fails with status %i as %s", async (status, kind) => {
    const { files, attachment, sources } = await openSources();
    files.status = status;
    expect(await failureOf(sources.look(attachment.url))).toMatchObject({ service: "discord", kind });
    expect(await failureOf(sources.source(attachment).open(0))).toMatchObject({ service: "discord", kind });
  });

  it("is not read beyond what was announced", async () => {
    const { attachment, sources } = await openSources();
    const body = await sources.source({ ...attachment, sizeBytes: 50_000 }).open(0);
    expect(await failureOf(buffer(body))).toMatchObject({ kind: "too-large" });
  });

  it("stops when it is told to", async () => {
    const { files, attachment, sources } = await openSources();
    files.holdAfterBytes = 10_000;
    const stop = new AbortController();
    const body = await sources.source(attachment, stop.signal).open(0);
    const failure = failureOf(buffer(body));
    stop.abort();
    expect(await failure).toMatchObject({ kind: "aborted" });
  });
});

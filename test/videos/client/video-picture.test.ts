import { describe, expect, onTestFinished, test } from "vitest";
import { fetchVideoPicture } from "../../../src/videos/client/read-video.ts";
import { createHttp } from "../../../src/core/http.ts";
import { createLog } from "../../../src/core/log.ts";
import { createStillClock } from "../../support/still-clock.ts";
import { startStub } from "../../support/stub-server.ts";
import { openVideo, sourceOf, videoBytes } from "../../support/video-stand-in.ts";

const PNG = Buffer.from("\u0089PNG\r\n\u001A\n and so on", "latin1");

/** Starts a server with one picture, and opens a client that fetches it. */
async function openPictures(bytes: Uint8Array, status = 200) {
  const server = await startStub((_, response) => {
    response.writeHead(status, { "content-type": "text/html", location: "/elsewhere" });
    response.end(bytes);
  });
  const clock = createStillClock();
  const log = createLog({ level: "silent", secrets: [] });
  const http = createHttp({ clock, log, resolve: async () => ["127.0.0.1"] });
  onTestFinished(async () => {
    await http.close();
    await server[Symbol.asyncDispose]();
  });
  const fetchPicture = (picture: string | undefined) =>
    fetchVideoPicture({ http, baseUrl: server.url }, { picture });
  return { server, fetchPicture };
}

describe("the small picture of a video", () => {
  test("is fetched from the service without logging the token", async () => {
    const { client, account, clock, lines } = await openVideo();
    const source = sourceOf(videoBytes(2_000));
    const id = (await client.uploadSimple(account, { source, title: `Day <1> & "2"` })) ?? "";
    expect(await client.picture(await client.read(account, id))).toBeUndefined();
    await clock.advance(60_000);
    const picture = await client.picture(await client.read(account, id));
    expect(picture?.type).toBe("jpg");
    expect(picture?.bytes.byteLength).toBeGreaterThan(1_000);
    expect(lines.join("")).not.toContain(account.token);
  });

  test("is recognised by its bytes, not its type, and is requested without credentials", async () => {
    const { server, fetchPicture } = await openPictures(PNG);
    expect(await fetchPicture(`${server.url.href}a.jpg?oh=1`)).toEqual({ bytes: PNG, type: "png" });
    expect(await fetchPicture("/a.jpg")).toMatchObject({ type: "png" });
    expect(server.seen.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/a.jpg?oh=1", undefined],
      ["/a.jpg", undefined],
    ]);
  });

  test.each([
    ["is an HTML page", Buffer.from("<!doctype html>"), 200],
    ["is empty", new Uint8Array(), 200],
    ["is gone", PNG, 404],
    ["redirects", PNG, 302],
    ["is as large as a film", Buffer.concat([PNG, Buffer.alloc(3 * 1024 * 1024)]), 200],
  ])("that %s is undefined", async (_, bytes, status) => {
    const { fetchPicture } = await openPictures(bytes, status);
    expect(await fetchPicture("/a.jpg")).toBeUndefined();
  });

  test.each([
    undefined,
    "http://[",
    "file:///etc/passwd",
    "http://example.org/a.jpg",
    "https://169.254.169.254/a.jpg",
    "https://inside.example.org/a.jpg",
  ])("at %j is not requested", async (picture) => {
    const { server, fetchPicture } = await openPictures(PNG);
    expect(await fetchPicture(picture)).toBeUndefined();
    expect(server.connections()).toBe(0);
  });
});

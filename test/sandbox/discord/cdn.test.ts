import { describe, expect, it } from "vitest";
import { openDiscord } from "./open-client.ts";

async function openUpload() {
  const { discord, clock } = await openDiscord();
  const ada = discord.member("Ada");
  const { general } = discord.community.channels;
  const posted = await ada.attach(general, "", [{ name: "my file.txt", bytes: Buffer.from("0123456789") }]);
  const [file] = posted.attachments;
  if (file === undefined) {
    throw new Error("the message has no attachment");
  }
  return {
    discord,
    clock,
    ada,
    file,
    posted,
    async [Symbol.asyncDispose]() {
      await discord.close();
      clock.stop();
    },
  };
}

describe("the CDN", () => {
  it("serves a whole file, under a name without spaces", async () => {
    await using at = await openUpload();
    expect(at.file.filename).toBe("my_file.txt");
    const response = await fetch(at.file.url);
    expect(await response.text()).toBe("0123456789");
    expect(response.headers.get("content-length")).toBe("10");
  });

  it.each([
    ["bytes=2-4", 206, "234"],
    ["bytes=7-", 206, "789"],
    ["bytes=-2", 206, "89"],
    ["bytes=0-99", 206, "0123456789"],
    ["bytes=10-", 416, ""],
    ["lines=1-2", 200, "0123456789"],
  ])("answers the range %s with %i", async (range, status, text) => {
    await using at = await openUpload();
    const response = await fetch(at.file.url, { headers: { range } });
    expect([response.status, await response.text()]).toEqual([status, text]);
  });

  it("refuses links that are forged, for another file or a day old, and gives the message fresh ones", async () => {
    await using at = await openUpload();
    const forged = at.file.url.replace(/hm=.{4}/, "hm=0000");
    const longer = at.file.url.replace(/ex=[^&]+/, "ex=ffffffff");
    const other = at.file.url.replace("my_file", "other");
    expect(await Promise.all([forged, longer, other].map(async (url) => (await fetch(url)).status))).toEqual([
      404, 404, 404,
    ]);
    await at.clock.advance(24 * 3_600_000);
    expect((await fetch(at.file.url)).status).toBe(404);
    const fresh = at.ada.look(at.posted)?.attachments[0];
    expect(fresh && (await fetch(fresh.url)).status).toBe(200);
  });
});

// Problems with a video, its texts or the services: each has its own sentence with advice, nothing is published twice,
// and the bot reports anything that is half published.
import { describe, expect, it } from "vitest";
import type { ActorFile } from "../../sandbox/discord/actors/member-types.ts";
import type { World } from "../../sandbox/world.ts";
import { reportChecks } from "../support/checked-world.ts";
import { film, openVideoWorld, waitForText } from "../support/video-world.ts";

reportChecks();

const HOUR_MS = 3_600_000;

async function refusalOf(world: World, file: ActorFile, options: Readonly<Record<string, string>> = {}) {
  const { general } = world.channels;
  const answer = await world.member("Grace").slash(general, "video publish", { file, ...options });
  expect(answer.message.ephemeral).toBe(true);
  return answer.text;
}

/** Publishes a video. Returns the message once it contains `words`. */
async function publishUntil(world: World, words: RegExp, file = film()) {
  const grace = world.member("Grace");
  const { general } = world.channels;
  const card = await grace.slash(general, "video publish", { file });
  await grace.click(card.message, "Publish now");
  return waitForText(world, grace, general, words, 1_000);
}

describe("/video publish", () => {
  it.each([
    ["a picture with the name of a video", { name: "cat.mp4", bytes: png() }, {}, /isn't a video|no video/i],
    [
      "a text",
      { name: "notes.txt", bytes: new TextEncoder().encode("hello ".repeat(500)) },
      {},
      /isn't a video|no video/i,
    ],
    ["a tiny file", film("x.mp4", 500), {}, /smaller than 1 KB/],
    ["a time that has passed", film(), { publish_at: "2026-11-17 09:00" }, /has passed/],
    ["a time too near", film(), { publish_at: "in 5 minutes" }, /at least 10 minutes/],
    ["a time too far", film(), { publish_at: "in 40 days" }, /30 days/],
    [
      "a text that is not a time",
      film(),
      { publish_at: "when it suits" },
      /couldn't read “when it suits” as a time/,
    ],
    ["a time that clocks skip", film(), { publish_at: "2027-03-28 01:30" }, /clocks go forward|30 days/],
  ] as const)("says what is wrong with %s, and sends nothing", async (_, file, options, words) => {
    await using world = await openVideoWorld();
    expect(await refusalOf(world, file, options)).toMatch(words);
    expect(world.video.ledger.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("says which permission it lacks in the channel", async () => {
    await using world = await openVideoWorld();
    const { guild, discord } = world;
    const own = [...guild.roles.values()].find(({ name }) => name === "Signalbox")?.id ?? "";
    const mute = discord.addChannel(guild, "mute", 0, [{ id: own, kind: 0, allow: 0n, deny: 1n << 11n }]);
    const answer = await world.member("Grace").slash(mute, "video publish", { file: film() });
    expect(answer.text).toContain("Send Messages");
  });

  it("accepts a file name without an extension, and sends the service one that it knows", async () => {
    await using world = await openVideoWorld();
    await publishUntil(world, /Published/, film("our film"));
    expect(world.video.videos()).toMatchObject([{ title: "our film", file: { name: "video.mp4" } }]);
  });

  it("refuses a file whose link has expired", async () => {
    await using world = await openVideoWorld();
    const grace = world.member("Grace");
    const { general } = world.channels;
    const card = await grace.slash(general, "video publish", { file: film() });
    await world.clock.advance(25 * HOUR_MS);
    const late = await grace.click(card.message, "Publish now");
    expect(late.text).toMatch(/link .*has expired/);
    expect(world.video.videos()).toEqual([]);
  });
});

describe("a refusal by the service", () => {
  it.each([
    [
      "because the file is too large",
      /too large for the video service/,
      (world: World): unknown => (world.video.largestBytes = 10_000),
    ],
    [
      "because the token has expired",
      /no longer accepts this account's token/,
      (world: World) => world.video.invalidateToken(world.video.tokens.page),
    ],
    [
      "because the token may not publish",
      /permission/,
      (world: World) =>
        world.video.addToken({
          value: world.video.tokens.page,
          scopes: ["pages_show_list", "pages_read_engagement"],
        }),
    ],
    [
      "because it does not know the format",
      /doesn't take this kind of file/,
      (world: World) => world.video.faults.add({ path: /simple$/, do: "format" }),
    ],
  ] as const)("is explained with what to do, %s", async (_, words, spoil) => {
    await using world = await openVideoWorld();
    const grace = world.member("Grace");
    const card = await grace.slash(world.channels.general, "video publish", { file: film() });
    spoil(world);
    await grace.click(card.message, "Publish now");
    const told = await waitForText(world, grace, world.channels.general, words, 1_000);
    expect(told.text).toMatch(/Nothing was published|Please/);
    expect(world.video.videos()).toEqual([]);
  });

  it("can be retried if that may help", async () => {
    await using world = await openVideoWorld();
    const grace = world.member("Grace");
    const { general } = world.channels;
    world.video.invalidateToken(world.video.tokens.page);
    const told = await publishUntil(world, /no longer accepts/);
    world.video.addToken({ value: world.video.tokens.page });
    expect((await grace.click(told, "Try again")).text).toMatch(/Uploading .* again/);
    await waitForText(world, grace, general, /Published/, 1_000);
    expect(world.video.videos()).toHaveLength(1);
  });
});

describe("an upload while the service fails", () => {
  it.each([
    ["at the start", /start$/],
    ["in the middle", /transfer$/],
    ["after the upload", /^\/\d+$/],
  ] as const)("continues automatically once it is back, %s", async (_, path) => {
    await using world = await openVideoWorld({ env: { VIDEO_UPLOAD: "chunked" } });
    world.video.faults.add({ path, do: "500", times: 3 });
    await publishUntil(world, /Published/);
    expect(world.video.videos()).toHaveLength(1);
  });

  it.each([
    ["at the end of a chunked upload", "chunked", /finish$/],
    ["in a simple upload", "simple", /simple$/],
  ] as const)("is published once if the answer is lost, %s", async (_, upload, path) => {
    await using world = await openVideoWorld({ env: { VIDEO_UPLOAD: upload } });
    world.video.faults.add({ path, do: "drop-after" });
    await publishUntil(world, /Published/);
    expect(world.video.videos()).toHaveLength(1);
  });

  it("waits for a person's decision if its outcome stays unknown", async () => {
    await using world = await openVideoWorld({ env: { VIDEO_UPLOAD: "simple" } });
    const grace = world.member("Grace");
    world.video.faults.add({ path: /simple$/, do: "500" });
    const told = await publishUntil(world, /can't tell by looking/);
    expect(world.video.videos()).toEqual([]);
    const looked = await grace.click(told, "Look for it");
    expect(looked.text).toContain("newest videos could be it");
    expect((await grace.click(looked.message, "Publish again")).text).toMatch(/Uploading .* again/);
    await waitForText(world, grace, world.channels.general, /Published/, 1_000);
    expect(world.video.videos()).toHaveLength(1);
  });
});

function png(): Uint8Array {
  const bytes = new Uint8Array(5_000);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return bytes;
}

// Pictures that cannot be used, each with its own sentence. Afterwards the bot works as before.
import { expect, it } from "vitest";
import type { ActorFile } from "../../sandbox/discord/actors/member-types.ts";
import { reportChecks } from "../support/checked-world.ts";
import { drawPicture, insertPngChunks, makeBomb, pngChunk } from "../support/sent-pictures.ts";
import { countStyleRequests, openStyleWorld, photograph } from "../support/style-world.ts";

reportChecks();

const encode = (words: string) => new TextEncoder().encode(words);

async function truncatedJpeg(): Promise<Uint8Array> {
  const bytes = await drawPicture(640, 480).jpeg().toBuffer();
  return bytes.subarray(0, Math.floor(bytes.byteLength / 2));
}

/** An animated PNG whose header announces this many frames. */
async function framesPng(frames: number): Promise<Uint8Array> {
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames);
  return insertPngChunks(await drawPicture(32, 32).png().toBuffer(), [pngChunk("acTL", control)]);
}

const CASES: readonly (readonly [
  what: string,
  name: string,
  bytes: () => Promise<Uint8Array>,
  says: RegExp,
])[] = [
  [
    "a text",
    "holiday.png",
    async () => encode("Dear diary"),
    /^That file isn't a picture I can read, despite/,
  ],
  ["nothing", "empty.png", async () => new Uint8Array(), /^That file isn't a picture/],
  [
    "a HEIC",
    "IMG_1.jpeg",
    async () => Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"),
    /^That's a HEIC/,
  ],
  [
    "an SVG",
    "logo.png",
    async () => encode('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    /^That's a drawing/,
  ],
  ["a JPEG that breaks off", "cut.jpg", truncatedJpeg, /^That picture is damaged/],
  ["144 megapixels in 17 kB", "white.png", async () => makeBomb(), /^That picture has too many pixels/],
  ["too many frames", "party.png", () => framesPng(101), /^That animation has more than 100 frames/],
];

it("bad pictures are refused with advice, and the next picture works", async () => {
  await using world = await openStyleWorld();
  const ada = world.member("Ada");
  const ask = (image: ActorFile) => ada.slash(world.channels.general, "style", { image, style: "oil" });
  for (const [what, name, bytes, says] of CASES) {
    const { message } = await ask({ name, bytes: await bytes() });
    const { text, ephemeral } = message;
    expect({ what, text, ephemeral }).toEqual({ what, text: expect.stringMatching(says), ephemeral: true });
    expect(text).toContain("Please");
  }
  expect(countStyleRequests(world)).toBe(0);
  expect((await ask(await photograph())).text).toContain("### Oil paint");
});

it("large files are refused by the size that Discord states", async () => {
  await using world = await openStyleWorld({ settings: { attachmentSizeLimitBytes: 200_000_000 } });
  const image = { name: "scan.png", bytes: new Uint8Array(100_000_000) };
  const { text: said } = await world
    .member("Ada")
    .slash(world.channels.general, "style", { image, style: "oil" });
  expect(said).toMatch(/^That file is 95.4 MB; I can take up to 20 MB\. Please attach a smaller one\.$/);
});

it("a picture whose link has expired is refused with advice", async () => {
  await using world = await openStyleWorld();
  const ada = world.member("Ada");
  const sent = await ada.attach(world.channels.general, "", [await photograph()]);
  const asked = await ada.menu(sent, "Restyle picture");
  const [kept] = [...world.discord.state.attachments.values()].slice(-1);
  if (!kept) {
    throw new Error("the message has no attachment");
  }
  world.discord.state.attachments.delete(kept.id);
  const { message } = await ada.select(asked.message, "Pick a style…", ["oil"]);
  expect(message.ephemeral).toBe(true);
  expect(message.text).toMatch(/link to that file has expired\. Please attach it again/);
});

it("pictures that are not hosted by Discord are refused", async () => {
  await using world = await openStyleWorld({ env: { DISCORD_CDN_HOSTS: "cdn.discordapp.com" } });
  const { message } = await world
    .member("Ada")
    .slash(world.channels.general, "style", { image: await photograph(), style: "oil" });
  expect(message.text).toMatch(/^I can only take files that are attached on Discord itself/);
});

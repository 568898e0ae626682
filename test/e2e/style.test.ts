// Restyled pictures, as members see them: the real bot, the local Discord and the stand-in of the service.
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { ActorFile, Answer, SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import type { World } from "../../sandbox/world.ts";
import { type PictureChild, startPictureChild } from "../../src/render/picture-process.ts";
import { pressForged } from "../support/forged-presses.ts";
import { reportChecks } from "../support/checked-world.ts";
import {
  countStyleRequests,
  fileOf,
  middleOf,
  openStyleWorld,
  photograph,
  picturesSent,
} from "../support/style-world.ts";
import { drawNoise } from "../support/sent-pictures.ts";
import { advanceUntil, until } from "../support/until.ts";
import { customIdsOf } from "../support/video-world.ts";

reportChecks();

const BUTTONS = ["Weaker", "Stronger", "High resolution", "Delete"];

/** The current state of a message. Throws if it is gone. */
function now(world: World, message: SeenMessage): SeenMessage {
  const seen = world.member("Ada").look(message);
  if (!seen) {
    throw new Error("the message is gone");
  }
  return seen;
}

function buttonsOf(message: SeenMessage): readonly string[] {
  return JSON.stringify(message.components).match(/(?<="label":")[^"]+(?=","custom_id"|","emoji)/g) ?? [];
}

/** A photograph that is too large for a first answer. */
async function leaves(): Promise<ActorFile> {
  return { name: "leaves.jpg", bytes: await drawNoise(900, 700).jpeg().toBuffer() };
}

/** The requests that answered, with a deferral's flags. `slow`: the picture's download takes too long. */
async function requestsOf(world: World, kind: string, ask: () => Promise<Answer>): Promise<unknown> {
  const since = world.discord.requests.length;
  const answers = () =>
    world.discord.requests.slice(since).flatMap(({ method, path, body }) => {
      const [, end] = /^\/(?:interactions|webhooks)\/.*\/([^/?]+)/.exec(path) ?? [];
      return end === undefined ? [] : [[method, end, Object(Object(body).data).flags]];
    });
  const path = /attachments\//;
  const download = world.discord.faults.add({ path, do: "slow", delayMs: kind === "slow" ? 60_000 : 0 });
  const asking = ask();
  await until(() => download.hits === 1);
  if (kind === "slow") {
    await world.clock.advance(1_500);
    await until(() => answers().length === 1);
    download.release();
  }
  await asking;
  return answers();
}

const PRIVATELY = [
  ["POST", "callback", 64],
  ["PATCH", "@original", undefined],
];

describe("/style", () => {
  it("shows the picture before and after, with alt text for both", async () => {
    await using world = await openStyleWorld();
    const ada = world.member("Ada");
    const { message } = await ada.slash(world.channels.general, "style", {
      image: await photograph(),
      style: "oil",
    });
    expect(message.text).toContain("### Oil paint");
    expect(message.text).toContain("Strength 100%");
    expect(message.text).toContain("was sent to the style service");
    expect(message.attachments.map(({ filename, description }) => [filename, description])).toEqual([
      ["original.jpg", "The original picture"],
      ["restyled.jpg", "The picture in the style Oil paint"],
    ]);
    expect(buttonsOf(message)).toEqual(BUTTONS);
    const [before, after] = await Promise.all(
      ["original", "restyled"].map(async (role) => middleOf(await ada.download(fileOf(message, role)))),
    );
    expect(before?.[0]).toBeGreaterThan(150);
    expect(after?.[2]).toBeGreaterThan(180);
    expect(message.pings).toEqual([]);
  });

  it("sends no file name, location or orientation of the picture to the service", async () => {
    await using world = await openStyleWorld({ canned: false });
    const { bytes } = await photograph();
    const told = await sharp(bytes)
      .withExif({
        IFD0: { ImageDescription: "Grandmother's garden" },
        IFD3: { GPSLatitude: "53/1 57/1 30/1" },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const image = { name: "grandmother.jpg", bytes: told };
    await world.member("Ada").slash(world.channels.general, "style", { image, style: "duotone" });
    const [sent] = world.style.ledger.flatMap((entry) => entry.sent ?? []);
    expect(sent).toMatchObject({ fileName: "picture.jpg", hasMetadata: false, width: 240, height: 320 });
  });

  it("accepts a style by any of its names, refuses an unknown one, and suggests styles", async () => {
    await using world = await openStyleWorld();
    const ada = world.member("Ada");
    const image = await photograph();
    const named = await ada.slash(world.channels.general, "style", { image, style: "Impasto" });
    expect(named.text).toContain("### Oil paint");
    const wrong = await ada.slash(world.channels.general, "style", { image, style: "frobnicate" });
    expect(wrong.message.ephemeral).toBe(true);
    expect(wrong.text).toMatch(/don't know a style called/);
    const choices = await ada.complete(world.channels.general, "style", { style: "wat" }, "style");
    expect(choices).toEqual([{ name: "Watercolour (Painted)", value: "watercolour" }]);
    expect(countStyleRequests(world)).toBe(1);
  });

  it("asks the service for strength and blend if the catalogue names its parameters", async () => {
    await using world = await openStyleWorld({ canned: false });
    const options = { image: await photograph(), style: "duotone", intensity: 40, blend: "mosaic" };
    const { text } = await world.member("Ada").slash(world.channels.general, "style", options);
    expect(picturesSent(world)).toMatchObject([
      { style: "duotone", fields: { strength: "0.4", style2: "mosaic", mix: "0.5" } },
    ]);
    expect(text).toContain("### Duotone and Mosaic");
    expect(text).toContain("Strength 40% · two styles, mixed by the style service");
  });

  it("blends pictures itself if the service has no such parameters, and says so", async () => {
    await using world = await openStyleWorld({ style: { parameters: "off" } });
    const ada = world.member("Ada");
    const image = await photograph();
    const weak = await ada.slash(world.channels.general, "style", { image, style: "oil", intensity: 25 });
    expect(weak.text).toContain("Strength 25% · blended with the original by the bot");
    const [red, , blue] = await middleOf(await ada.download(fileOf(weak.message, "restyled")));
    // A quarter of the service's blue and three quarters of the photograph's red.
    expect(red).toBeGreaterThan(130);
    expect(blue).toBeGreaterThan(60);
    expect(blue).toBeLessThan(110);
    const two = await ada.slash(world.channels.general, "style", { image, style: "oil", blend: "comic" });
    expect(two.text).toContain("two styles, blended half and half by the bot");
    expect(countStyleRequests(world)).toBe(3);
  });

  it("keeps a spoiler hidden and an answer private, also after a press", async () => {
    await using world = await openStyleWorld();
    const ada = world.member("Ada");
    const options = { image: await photograph(), style: "oil", spoiler: true, private: true };
    const { message } = await ada.slash(world.channels.general, "style", options);
    expect(message.ephemeral).toBe(true);
    expect(JSON.stringify(message.components).match(/"spoiler":true/g)).toHaveLength(2);
    const weaker = await ada.click(message, "Weaker");
    expect(weaker.message.id).toBe(message.id);
    expect(weaker.message.ephemeral).toBe(true);
    expect(JSON.stringify(weaker.message.components).match(/"spoiler":true/g)).toHaveLength(2);
    const file = await ada.click(weaker.message, "High resolution");
    expect(file.message.ephemeral).toBe(true);
    expect(file.message.id).not.toBe(message.id);
    // The pictures and their buttons stay beside the file.
    expect((await ada.click(message, "Weaker")).message.id).toBe(message.id);
    expect(world.member("Alan").messages(world.channels.general)).toEqual([]);
  });

  it("says that it used the first frame of an animation, also after a press", async () => {
    await using world = await openStyleWorld();
    const ada = world.member("Ada");
    const frames = Buffer.alloc(64 * 128 * 3, 90).fill(200, 64 * 64 * 3);
    const raw = { width: 64, height: 128, channels: 3, pageHeight: 64 } as const;
    const bytes = await sharp(frames, { raw })
      .gif({ delay: [100, 100] })
      .toBuffer();
    const image = { name: "dance.gif", bytes };
    const { message, text } = await ada.slash(world.channels.general, "style", { image, style: "oil" });
    expect(text).toContain("the first frame of an animation");
    expect((await ada.click(message, "Weaker")).text).toContain("the first frame of an animation");
  });

  it("accepts any word as a style if there is no catalogue, and asks for it in a form if it is missing", async () => {
    const env = { STYLE_CATALOGUE: "", STYLE_SERVICE_NAME: "our *paint box*" };
    await using world = await openStyleWorld({ env });
    const ada = world.member("Ada");
    const image = await photograph();
    const free = await ada.slash(world.channels.general, "style", { image, style: "cartoon" });
    expect(free.text).toContain("### cartoon");
    expect(free.text).toContain("sent to our \\*paint box\\*, without its file name");
    const asked = await ada.slash(world.channels.general, "style", { image });
    const form = await ada.click(asked.message, "Type a style");
    const made = await ada.submit(form, { Style: "mononoke" });
    expect(asked.message.ephemeral).toBe(true);
    expect(made.message.ephemeral).toBe(false);
    expect(made.text).toContain("### mononoke");
  });

  it("reduces a picture to fit Discord's limit", async () => {
    await using world = await openStyleWorld({ settings: { attachmentSizeLimitBytes: 200_000 } });
    const noise = { type: "gaussian", mean: 128, sigma: 50 } as const;
    const size = { width: 900, height: 700, channels: 3 } as const;
    world.style.canned = await sharp({ create: { ...size, background: "#888", noise } })
      .png()
      .toBuffer();
    const ada = world.member("Ada");
    const { message, text } = await ada.slash(world.channels.general, "style", {
      image: await photograph(),
      style: "oil",
    });
    expect(fileOf(message, "restyled").size).toBeLessThanOrEqual(200_000);
    expect(text).toContain("result made smaller");
  });
});

describe("a picture without a style", () => {
  it("is shown to the person alone until a style is chosen", async () => {
    await using world = await openStyleWorld();
    const ada = world.member("Ada");
    const options = { image: await photograph(), intensity: 60, blend: "comic" };
    const asked = await ada.slash(world.channels.general, "style", options);
    expect(asked.text).toContain("### Which style?");
    expect(asked.message.attachments.map(({ filename }) => filename)).toEqual(["original.jpg"]);
    expect(countStyleRequests(world)).toBe(0);
    const made = await ada.select(asked.message, "Pick a style…", ["Oil paint"]);
    expect(asked.message.ephemeral).toBe(true);
    expect(made.message.ephemeral).toBe(false);
    expect(made.text).toContain("### Oil paint and Comic");
    expect(made.text).toContain("Strength 60%");
  });

  it.each(["large", "slow"])("shows “thinking…” only to the person: a %s picture", async (kind) => {
    await using world = await openStyleWorld();
    const image = await leaves();
    const ask = () => world.member("Ada").slash(world.channels.general, "style", { image });
    expect(await requestsOf(world, kind, ask)).toEqual(PRIVATELY);
  });

  it("can be compared in several styles, and one of them kept without another call", async () => {
    await using world = await openStyleWorld();
    world.style.faults.add({ path: "/v1/process", do: "422" });
    const ada = world.member("Ada");
    const asked = await ada.slash(world.channels.general, "style", { image: await photograph() });
    const form = await ada.click(asked.message, "Compare several");
    const several = await ada.submit(form, { "Up to 4 styles": ["Oil paint", "Comic", "Mosaic"] });
    const names = several.message.attachments.map(({ filename }) => filename);
    expect(names).toHaveLength(3);
    expect(several.text).toMatch(/^### Comic · Mosaic/);
    expect(several.text).toMatch(/Missing this time: Oil paint/);
    expect(countStyleRequests(world)).toBe(3);
    const kept = await ada.click(several.message, "Mosaic");
    expect(kept.message.id).toBe(several.message.id);
    expect(kept.message.attachments.map(({ filename }) => filename)).toEqual([
      "original.jpg",
      "restyled.jpg",
    ]);
    expect(kept.text).toContain("Strength 100%");
    expect(countStyleRequests(world)).toBe(3);
  });

  it("is compared in at most four styles, whatever a client sends", async () => {
    await using world = await openStyleWorld();
    const { general: channel } = world.channels;
    const ada = world.member("Ada");
    const { message } = await ada.slash(channel, "style", { image: await photograph() });
    const id = customIdsOf(message).find((each) => each.startsWith("style/choice:first:")) ?? "";
    const place = { userId: ada.id, channel, messageId: message.id };
    const values = ["oil", "watercolour", "duotone", "sketch", "mosaic", "cartoon"];
    await pressForged(world, place, { kind: "selects", id }, values);
    expect(countStyleRequests(world)).toBe(4);
  });
});

describe("the buttons of a picture", () => {
  it("work after a restart, from the original in the message, and work that it cut off cannot be cancelled", async () => {
    await using world = await openStyleWorld({ bot: "process" });
    const ada = world.member("Ada");
    const asked = await ada.slash(world.channels.general, "style", {
      image: await photograph(),
      style: "oil",
    });
    Object.assign(world.style, { shape: "job", jobMs: 60_000 });
    const cutOff = { image: await photograph(), style: "comic" };
    void ada.slash(world.channels.general, "style", cutOff).catch(() => undefined);
    await until(() => countStyleRequests(world) === 2);
    const state = await advanceUntil(
      world,
      ada.waitForMessage(world.channels.general, ({ text }) => text.includes("Restyling your picture")),
    );
    await world.bot.kill();
    await world.bot.start();
    world.style.shape = "url";
    expect((await ada.click(state, "Cancel")).text).toMatch(/^That has already finished/);
    const weaker = await ada.click(asked.message, "Weaker");
    expect(weaker.message.id).toBe(asked.message.id);
    expect(weaker.text).toContain("Strength 80%");
    const again = await ada.select(now(world, asked.message), "Another style…", ["comic"]);
    expect(again.text).toContain("### Comic");
    expect(again.text).toContain("Strength 80%");
    expect(countStyleRequests(world)).toBe(4);
  });

  it("do not visibly change the original picture", async () => {
    await using world = await openStyleWorld();
    const ada = world.member("Ada");
    const asked = await ada.slash(world.channels.general, "style", {
      image: await photograph(),
      style: "oil",
    });
    const pixelsOf = async (message: SeenMessage) =>
      sharp(await ada.download(fileOf(message, "original")))
        .raw()
        .toBuffer();
    const first = await pixelsOf(asked.message);
    let last = asked.message;
    for (const label of ["Weaker", "Weaker", "Stronger"]) {
      last = (await ada.click(last, label)).message;
    }
    const after = await pixelsOf(last);
    expect(after).toHaveLength(first.length);
    const difference = first.reduce((sum, value, index) => sum + Math.abs(value - (after[index] ?? 0)), 0);
    expect(difference / first.length).toBeLessThan(1);
    expect(last.text).toContain("Strength 80%");
  });

  it("are disabled at the weakest and the strongest setting", async () => {
    await using world = await openStyleWorld();
    const ada = world.member("Ada");
    const image = await photograph();
    const whole = await ada.slash(world.channels.general, "style", { image, style: "oil" });
    await expect(ada.click(whole.message, "Stronger")).rejects.toThrow("disabled");
    const weak = await ada.slash(world.channels.general, "style", { image, style: "oil", intensity: 10 });
    await expect(ada.click(weak.message, "Weaker")).rejects.toThrow("disabled");
  });

  it("answer another presser with a new message", async () => {
    await using world = await openStyleWorld();
    const [ada, alan] = [world.member("Ada"), world.member("Alan")];
    const asked = await ada.slash(world.channels.general, "style", {
      image: await photograph(),
      style: "oil",
    });
    const alans = await alan.click(asked.message, "Weaker");
    expect(alans.message.id).not.toBe(asked.message.id);
    expect(alans.text).toContain("Strength 80%");
    expect(now(world, asked.message).text).toContain("Strength 100%");
    const further = await alan.click(alans.message, "Weaker");
    expect(further.message.id).toBe(alans.message.id);
  });

  it("send the picture in full resolution to the presser alone", async () => {
    await using world = await openStyleWorld();
    const size = { width: 3_000, height: 2_000, channels: 3 } as const;
    world.style.canned = await sharp({ create: { ...size, background: "#333" } })
      .png()
      .toBuffer();
    const asked = await world
      .member("Ada")
      .slash(world.channels.general, "style", { image: await photograph(), style: "oil" });
    const { message, text } = await world.member("Alan").click(asked.message, "High resolution");
    expect(message.ephemeral).toBe(true);
    expect(text).toContain("3,000 × 2,000 pixels");
    expect(message.attachments).toMatchObject([{ filename: "restyled.jpg", width: 3_000, height: 2_000 }]);
    expect(countStyleRequests(world)).toBe(1);
  });

  it("let only the person who asked delete the message", async () => {
    await using world = await openStyleWorld();
    const [ada, alan] = [world.member("Ada"), world.member("Alan")];
    const asked = await ada.slash(world.channels.general, "style", {
      image: await photograph(),
      style: "oil",
    });
    expect((await alan.click(asked.message, "Delete")).text).toMatch(/^Only the person who asked/);
    const deleting = await ada.click(asked.message, "Delete");
    expect(deleting.kind).toBe("none");
    expect(ada.look(asked.message)).toBeUndefined();
  });
});

it("the picture process ends with the bot", async () => {
  const children: PictureChild[] = [];
  await using world = await openStyleWorld({
    startPictureChild() {
      const child = startPictureChild();
      children.push(child);
      return child;
    },
  });
  const options = { image: await photograph(), style: "oil" };
  await world.member("Ada").slash(world.channels.general, "style", options);
  expect(children).toHaveLength(1);
  await world.bot.stop();
  expect(await children[0]?.ended).toMatchObject({ isKilled: true });
});

describe("a message's menu", () => {
  it("offers styles for its picture, and keeps the spoiler", async () => {
    await using world = await openStyleWorld();
    const ada = world.member("Ada");
    const sent = await world
      .member("Alan")
      .attach(world.channels.general, "look", [await photograph("SPOILER_garden.jpg")]);
    const asked = await ada.menu(sent, "Restyle picture");
    expect(asked.text).toContain("### Which style?");
    const made = await ada.select(asked.message, "Pick a style…", ["oil"]);
    expect(made.text).toContain("### Oil paint");
    expect(JSON.stringify(made.message.components).match(/"spoiler":true/g)).toHaveLength(2);
  });

  it("asks which picture is meant if there are several, and skips files that are none", async () => {
    await using world = await openStyleWorld();
    const ada = world.member("Ada");
    const files = [
      await photograph("one.jpg"),
      { name: "broken.png", bytes: new TextEncoder().encode("no picture at all") },
      {
        name: "two.png",
        bytes: await sharp(await middleGrey())
          .png()
          .toBuffer(),
      },
      { name: "notes.txt", bytes: new TextEncoder().encode("notes") },
    ];
    const sent = await world.member("Alan").attach(world.channels.general, "", files);
    const asked = await ada.menu(sent, "Restyle picture");
    expect(asked.text).toContain("### Which picture?");
    expect(asked.text).toContain("One file is not shown");
    const chosen = await ada.select(asked.message, "Pick a picture…", ["Picture 2"]);
    expect(chosen.message.id).toBe(asked.message.id);
    expect(await middleOf(await ada.download(fileOf(chosen.message, "original")))).toEqual([136, 136, 136]);
  });

  it("works on the bot's own pictures, which are in components", async () => {
    await using world = await openStyleWorld();
    const ada = world.member("Ada");
    const first = await ada.slash(world.channels.general, "style", {
      image: await photograph(),
      style: "oil",
    });
    const asked = await ada.menu(first.message, "Restyle picture");
    expect(asked.text).toContain("### Which picture?");
    expect(asked.message.attachments).toHaveLength(2);
  });

  it.each(["large", "slow"])("shows “thinking…” only to the person: a %s picture", async (kind) => {
    await using world = await openStyleWorld();
    const sent = await world.member("Alan").attach(world.channels.general, "", [await leaves()]);
    const ask = () => world.member("Ada").menu(sent, "Restyle picture");
    expect(await requestsOf(world, kind, ask)).toEqual(PRIVATELY);
  });

  it("says if there is no picture", async () => {
    await using world = await openStyleWorld();
    const sent = await world.member("Alan").say(world.channels.general, "only words");
    const answer = await world.member("Ada").menu(sent, "Restyle picture");
    expect(answer.message.ephemeral).toBe(true);
    expect(answer.text).toMatch(/^There's no picture in that message/);
  });
});

function middleGrey(): Promise<Buffer> {
  const size = { width: 200, height: 100, channels: 3 } as const;
  return sharp({ create: { ...size, background: "#888888" } })
    .png()
    .toBuffer();
}

describe("a message with a picture", () => {
  it.each(["a mention in a server", "a direct message"])(
    "is answered with a choice of styles: %s",
    async (where) => {
      await using world = await openStyleWorld();
      const ada = world.member("Ada");
      const channel = where === "a direct message" ? ada.dm() : world.channels.general;
      const sent =
        where === "a direct message"
          ? await ada.attach(channel, "", [await photograph()])
          : await ada.mention(channel, "please", [await photograph()]);
      const offer = await ada.waitForMessage(channel, ({ repliesTo }) => repliesTo === sent.id);
      expect(offer.text).toContain("### Which style?");
      const made = await ada.select(offer, "Pick a style…", ["comic"]);
      expect(offer.attachments).toEqual([]);
      expect(made.message.id).toBe(offer.id);
      expect(made.text).toContain("### Comic");
      await ada.click(made.message, "Delete");
      expect(ada.look(offer)).toBeUndefined();
    },
  );

  it("is restyled at once if its text names a style", async () => {
    await using world = await openStyleWorld();
    const ada = world.member("Ada");
    const sent = await ada.mention(world.channels.general, "oil paint, please", [await photograph()]);
    const made = await ada.waitForMessage(world.channels.general, ({ repliesTo }) => repliesTo === sent.id);
    expect(made.text).toContain("### Oil paint");
  });

  it("is answered with a choice of picture, then of style, without copies of the pictures", async () => {
    await using world = await openStyleWorld();
    const ada = world.member("Ada");
    const files = [await photograph("one.jpg"), { name: "two.png", bytes: await middleGrey() }];
    const sent = await ada.mention(world.channels.general, "", files);
    const which = await ada.waitForMessage(world.channels.general, ({ repliesTo }) => repliesTo === sent.id);
    const offer = await ada.select(which, "Pick a picture…", ["Picture 2"]);
    expect(offer.message.attachments).toEqual([]);
    const made = await ada.select(offer.message, "Pick a style…", ["Comic"]);
    expect(await middleOf(await ada.download(fileOf(made.message, "original")))).toEqual([136, 136, 136]);
  });
});

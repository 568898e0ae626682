// After everything that can be done with videos has been done: no token, secret or key in anything that is written.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { World } from "../../sandbox/world.ts";
import { reportJudgement } from "../support/judged-world.ts";
import { film, openVideoWorld, waitForText } from "../support/video-world.ts";
import { MEMORY_FOLDER } from "../support/memory-folder.ts";

reportJudgement();

/** In the forms in which something may slip out. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const texts = [secret, bytes.toString("base64"), bytes.toString("base64url"), bytes.toString("hex")];
  return [...new Set([...texts, encodeURIComponent(secret)].map((text) => text.replace(/=+$/, "")))];
}

async function publish(world: World, name: string, words: RegExp): Promise<void> {
  const grace = world.member("Grace");
  const { general } = world.channels;
  const card = await grace.slash(general, "video publish", { file: film(`${name}.mp4`, 3_000_000) });
  await grace.click(card.message, "Publish now");
  await waitForText(world, grace, general, new RegExp(`${name}[^]*${words.source}`), 1_000);
}

it("keeps every token and secret out of logs, messages, errors and the database", async () => {
  const folder = await mkdtemp(join(MEMORY_FOLDER, "signalbox-secrets-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await using world = await openVideoWorld({
    env: { DATABASE_URL: `sqlite:${join(folder, "bot.db")}`, LOG_LEVEL: "trace", VIDEO_UPLOAD: "chunked" },
  });
  const { video } = world;
  const { staff } = world.channels;
  const grace = world.member("Grace");

  await publish(world, "operators", /Published/);
  for (const token of [
    video.tokens.person,
    video.tokens.expired,
    video.tokens.otherApp,
    video.tokens.secondPage,
  ]) {
    const form = await grace.slash(staff, "video account link");
    await grace.submit(form, { "The Page's access token": token });
  }
  await publish(world, "own", /Published/);
  video.faults.add({ path: /start$/, do: "drop" });
  video.faults.add({ path: /transfer$/, do: "500" });
  video.faults.add({ path: /finish$/, do: "drop-after" });
  await publish(world, "troubled", /Published/);
  video.endToken(video.tokens.secondPage);
  await publish(world, "dead", /no longer accepts/);
  await grace.slash(staff, "video account show");
  await grace.slash(staff, "video settings");
  await world.tick();

  const files = await readdir(folder);
  const database = await Promise.all(files.map((file) => readFile(join(folder, file), "latin1")));
  const places = {
    log: world.bot.log.join("\n"),
    // Everything that the bot ever asked of Discord, whatever became of it; recorded without its own token.
    requests: JSON.stringify(world.discord.requests),
    screens: ["general", "staff"]
      .flatMap((name) => world.transcript(name === "general" ? world.channels.general : staff, grace))
      .join("\n"),
    database: database.join("\n"),
    // What is in an address may be logged on the way.
    paths: video.ledger.map(({ path }) => path).join("\n"),
  };
  const { SECRET_KEY = "", DISCORD_TOKEN = "" } = world.env;
  const secrets = [...Object.values(video.tokens), video.appSecret, SECRET_KEY, DISCORD_TOKEN];
  expect(files).not.toEqual([]);
  expect(places.database).toContain("Garden Railway");
  expect(places.log).toContain('"verb":"finish upload"');
  for (const [place, text] of Object.entries(places)) {
    for (const form of secrets.flatMap(formsOf)) {
      expect(text.includes(form), `a secret stands in ${place}`).toBe(false);
    }
  }
  // Nor the way to the file, which is as good as the file.
  expect(places.log).not.toMatch(/\?ex=|hm=/);
  // SECRET_KEY as bytes.
  expect(places.database.includes(Buffer.from(SECRET_KEY, "base64").toString("latin1"))).toBe(false);
});

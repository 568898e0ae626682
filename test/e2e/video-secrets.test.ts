// After everything that can be done with videos: no token, secret or key appears in anything that is written.
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { World } from "../../sandbox/world.ts";
import { reportChecks } from "../support/checked-world.ts";
import { photograph } from "../support/style-world.ts";
import { film, openVideoWorld, waitForText } from "../support/video-world.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { createSecretBox } from "../../src/core/secret-box.ts";
import { openDatabase } from "../../src/database.ts";
import { videoAccountRecord } from "../videos/video-rows.ts";
import { MEMORY_FOLDER } from "../support/memory-folder.ts";

reportChecks();

/** The forms in which a secret may leak. */
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
  const keys = await mkdtemp(join(MEMORY_FOLDER, "signalbox-keys-"));
  onTestFinished(async () => {
    await Promise.all([folder, keys].map((each) => rm(each, { recursive: true })));
  });
  const [key, oldKey] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
  await writeFile(join(keys, "key"), `${key}\n`);
  await using world = await openVideoWorld({
    env: {
      DATABASE_URL: `sqlite:${join(folder, "bot.db")}`,
      LOG_LEVEL: "trace",
      VIDEO_UPLOAD: "chunked",
      SECRET_KEY: "",
      SECRET_KEY_FILE: join(keys, "key"),
      SECRET_KEY_OLD: oldKey,
    },
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
  video.invalidateToken(video.tokens.secondPage);
  await publish(world, "dead", /no longer accepts/);
  await grace.slash(staff, "video account show");
  await grace.slash(staff, "video settings");
  world.style.faults.add({ path: "/v1/process", do: "401" });
  world.transport.faults.add({ path: /./, do: "401" });
  await grace.slash(staff, "departures", { station: "York" });
  await grace.slash(staff, "departures", { station: "Leeds" });
  await grace.slash(staff, "style", { image: await photograph(), style: "oil" });
  await world.tick();

  const files = await readdir(folder);
  const database = await Promise.all(files.map((file) => readFile(join(folder, file), "latin1")));
  const places = {
    log: world.bot.log.join("\n"),
    // All requests of the bot to Discord, whatever came of them, recorded without the bot's own token.
    requests: JSON.stringify(world.discord.requests),
    screens: ["general", "staff"]
      .flatMap((name) => world.transcript(name === "general" ? world.channels.general : staff, grace))
      .join("\n"),
    database: database.join("\n"),
    // Addresses may be logged on the way.
    paths: video.ledger.map(({ path }) => path).join("\n"),
  };
  const { env } = world;
  const named = ["DISCORD_TOKEN", "STYLE_API_KEY", "TRANSPORT_APP_ID", "TRANSPORT_APP_KEY"].map(
    (name) => env[name] ?? "",
  );
  const secrets = [...Object.values(video.tokens), video.appSecret, key, oldKey, ...named];
  expect(secrets.filter((secret) => secret.length < 8)).toEqual([]);
  expect(places.log).toContain('"service":"style"');
  expect(places.log).toContain('"service":"transport"');
  expect(files).not.toEqual([]);
  expect(places.database).toContain("Garden Railway");
  expect(places.log).toContain('"verb":"finish upload"');
  for (const [place, text] of Object.entries(places)) {
    for (const form of secrets.flatMap(formsOf)) {
      expect(text.includes(form), `a secret appears in ${place}`).toBe(false);
    }
  }
  // The link to a file must not appear either, because it is as good as the file.
  expect(places.log).not.toMatch(/\?ex=|hm=/);
  // Nor SECRET_KEY as bytes.
  for (const each of [key, oldKey]) {
    expect(places.database.includes(Buffer.from(each, "base64").toString("latin1"))).toBe(false);
  }
});

it("says at start how many linked accounts cannot be decrypted", async () => {
  const folder = await mkdtemp(join(MEMORY_FOLDER, "signalbox-keys-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const url = `sqlite:${join(folder, "bot.db")}`;
  const log = createLog({ level: "silent", secrets: [] });
  const database = await openDatabase({ url, clock: systemClock, log });
  const sealedToken = createSecretBox(randomBytes(32)).seal("EAALost", "1");
  await database.videoAccounts.put(videoAccountRecord({ sealedToken }), []);
  await database.close();
  await using world = await openVideoWorld({ env: { DATABASE_URL: url } });
  expect(world.bot.log.join("\n")).toContain(
    "SECRET_KEY doesn't decrypt the tokens of 1 of 1 linked video accounts.",
  );
});

// What the image would hold, started against loopback servers: no sandbox code is there to be loaded.
import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openWorld } from "../../sandbox/world.ts";
import { layOutImage, startImage } from "../support/image.ts";

it("holds the bot alone, and that answers", async () => {
  using image = layOutImage();
  symlinkSync(
    fileURLToPath(new URL("../../node_modules", import.meta.url)),
    join(image.folder, "node_modules"),
  );
  expect(readdirSync(image.folder).toSorted()).toEqual(
    ["LICENSE", "commands", "node_modules", "package-lock.json", "package.json", "src", ".npmrc"].toSorted(),
  );
  expect(existsSync(join(image.folder, "src/main.js"))).toBe(true);

  // Its clock stands still: a bot on a machine under load is late, and what is tried here is another thing.
  await using world = await openWorld({ bot: "none" });
  await using bot = await startImage(image, world.env);
  const answer = await world.member("Ada").slash(world.channels.trains, "departures", { station: "York" });
  expect(answer.text).toContain("York");
  expect(bot.output()).not.toContain(world.transport.appKey);
});

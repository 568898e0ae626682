// As test/e2e/image.test.ts, with the packages that the image would install: no development dependency is there.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openWorld } from "../../sandbox/world.ts";
import { layOutImage, startImage } from "../support/image.ts";

it("runs on production packages alone", async () => {
  using image = layOutImage();
  execFileSync("npm", ["ci", "--omit=dev", "--ignore-scripts"], { cwd: image.folder, stdio: "ignore" });
  expect(existsSync(join(image.folder, "node_modules/discord.js"))).toBe(true);
  expect(existsSync(join(image.folder, "node_modules/vitest"))).toBe(false);
  expect(existsSync(join(image.folder, "node_modules/hono"))).toBe(false);

  await using world = await openWorld({ bot: "none", clock: "running" });
  await using bot = await startImage(image, world.env);
  const ada = world.member("Ada");
  const picture = await ada.slash(world.channels.trains, "departures", { station: "York" });
  expect(picture.message.attachments).toHaveLength(1);
  expect((await ada.slash(world.channels.trains, "help")).text).toContain("departures");
  expect(bot.output()).not.toContain(world.transport.appKey);
});

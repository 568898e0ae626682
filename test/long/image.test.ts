// The container image as operators have it: built from the Dockerfile, started read-only and without capabilities.
import { expect, it } from "vitest";
import { openWorld } from "../../sandbox/world.ts";
import { buildImage, whyNoImage } from "../support/container.ts";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/until.ts";

/** Including the base: Debian, Node and npm take 241 MB of it if they are built here. */
const MAX_BYTES = 350_000_000;

it("the image builds, answers within 256 MB, and ends with 0", async ({ skip }) => {
  const missing = whyNoImage();
  if (missing !== undefined) {
    skip(missing);
  }
  await using container = await buildImage();
  expect(container.sizeBytes).toBeLessThan(MAX_BYTES);

  await using world = await openWorld({ bot: "none", clock: "running" });
  // The catalogue is a file of this machine. The database in its default place is on the volume.
  const { STYLE_CATALOGUE, DATABASE_URL, ...env } = world.env;
  expect([STYLE_CATALOGUE, DATABASE_URL]).not.toContain(undefined);
  const port = await freePort();
  await container.start({ ...env, HTTP_PORT: String(port), NODE_DEBUG_NATIVE: "COMPILE_CACHE" });
  await until(async () => (await container.output()).includes("is ready"));

  const ada = world.member("Ada");
  const board = await ada.slash(world.channels.trains, "departures", { station: "York" });
  expect(board.message.attachments).toHaveLength(1);
  expect((await ada.slash(world.channels.trains, "help")).text).toContain("departures");
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  await container.checkHealth();

  // It runs as an ordinary user, contains only the bot, and all of the bot's code is compiled.
  expect((await container.run("id", "-u")).trim()).toBe("1000");
  expect(await container.run("grep", "CapBnd", "/proc/1/status")).toMatch(/\s0+\n/);
  expect(await container.run("ls", "/app/data")).toContain("signalbox.db");
  expect((await container.run("ls", "/app")).trim().split("\n")).toEqual([
    "LICENCES.txt",
    "LICENSE",
    "commands",
    "data",
    "node_modules",
    "package.json",
    "src",
  ]);
  const packages = (await container.run("ls", "/app/node_modules")).split("\n");
  expect(packages).toContain("discord.js");
  expect(packages.filter((name) => ["vitest", "hono", "typescript", "node"].includes(name))).toEqual([]);
  const licences = await container.run("cat", "/app/LICENCES.txt");
  for (const name of packages.filter((each) => /^[a-z]/.test(each))) {
    expect(licences).toContain(`\n${name} `);
  }
  expect(licences).toContain("libvips       | LGPLv3");
  const lines = (await container.output()).split("\n");
  const loaded = lines.filter((line) => line.includes("V8 code cache for"));
  const compiled = loaded.filter((line) => !line.includes("was accepted"));
  const ofBundle = (line: string) => /\/bundle-\w+\/(?:src|commands)\//.test(line);
  expect(loaded.filter(ofBundle).length).toBeGreaterThan(50);
  expect(compiled.filter((line) => ofBundle(line) || /\/app\/(?:src|commands)\//.test(line))).toEqual([]);
  // discord.js loads some of its files later.
  expect(compiled.length).toBeLessThan(loaded.length / 20);

  expect(await container.stop()).toBe(0);
  expect(await container.output()).not.toContain(world.transport.appKey);
});

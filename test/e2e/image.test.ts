// The content of the image, started against loopback servers. It contains no sandbox code that could be loaded.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorld } from "../../sandbox/world.ts";
import { freePort } from "../support/free-port.ts";
import { type Image, layOutImage, startImage } from "../support/image.ts";
import { startStub } from "../support/stub-server.ts";

it("the image contains only the bot, which answers a member", async () => {
  using image = layOutImage();
  symlinkSync(
    fileURLToPath(new URL("../../node_modules", import.meta.url)),
    join(image.folder, "node_modules"),
  );
  expect(readdirSync(image.folder).toSorted()).toEqual(
    ["LICENSE", "commands", "node_modules", "package.json", "src"].toSorted(),
  );
  expect(existsSync(join(image.folder, "src/main.js"))).toBe(true);

  // The sandbox's clock stands still: on a busy machine, the bot would be late, which is not tested here.
  await using world = await openWorld({ bot: "none" });
  await using bot = await startImage(image, world.env);
  const answer = await world.member("Ada").slash(world.channels.trains, "departures", { station: "York" });
  expect(answer.text).toContain("York");
  expect(bot.output()).not.toContain(world.transport.appKey);
});

describe("the image's health check", () => {
  let image: Image;
  beforeAll(() => {
    image = layOutImage();
  });
  afterAll(() => image[Symbol.dispose]());

  /** Runs the health check. Returns its exit code, which is 0 if the container is healthy. */
  async function check(port: string): Promise<unknown> {
    const child = spawn(process.execPath, image.healthArgs, { env: { HTTP_PORT: port }, stdio: "ignore" });
    const [code] = await once(child, "exit");
    return code;
  }

  it.each([
    [200, 0],
    [503, 1],
  ])("maps a health page with status %i to exit code %i", async (status, code) => {
    await using page = await startStub((_request, response) => void response.writeHead(status).end());
    expect(await check(page.url.port)).toBe(code);
    expect(page.seen.map(({ path }) => path)).toEqual(["/health"]);
  });

  it("fails if nothing answers", async () => {
    expect(await check(String(await freePort()))).toBe(1);
  });

  it.each(["", " "])("passes if the operator has turned the page off with HTTP_PORT=%j", async (port) => {
    expect(await check(port)).toBe(0);
  });
});

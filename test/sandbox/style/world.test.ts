import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openWorld } from "../../../sandbox/world.ts";
import { readConfig } from "../../../src/core/config.ts";
import { readCatalogue } from "../../../src/pictures/catalogue.ts";

test("a world's bot has the address and the catalogue of its style service", async () => {
  for (const parameters of ["on", "off"] as const) {
    await using world = await openWorld({ bot: "none", style: { parameters } });
    const { style } = readConfig(world.env);
    expect(style?.baseUrl.origin).toBe(world.style.baseUrl);
    expect(style?.catalogue).toBe(readFileSync(world.style.catalogueFile, "utf8"));
    expect(readCatalogue(style?.catalogue).intensity !== undefined).toBe(parameters === "on");
    world.style.shape = "job";
    expect(world.style.shape).toBe("job");
  }
});

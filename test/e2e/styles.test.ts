// The gallery of styles, and trying one from it.
import { expect, it } from "vitest";
import { createTestDatabase } from "../open.ts";
import { sqlite } from "../support/databases.ts";
import { reportChecks } from "../support/checked-world.ts";
import { countStyleRequests, openStyleWorld, photograph } from "../support/style-world.ts";

reportChecks();

it("shows a sample of every style, and reuses the samples after a restart", async () => {
  const env = { DATABASE_URL: await createTestDatabase(sqlite) };
  await using world = await openStyleWorld({ env });
  const ada = world.member("Ada");
  const first = await ada.slash(world.channels.general, "styles");
  expect(first.message.attachments).toMatchObject([
    {
      filename: "styles.jpg",
      description: expect.stringMatching(/^A red train .* Oil paint, .* Stained glass/),
    },
  ]);
  expect(countStyleRequests(world)).toBe(8);
  await world.bot.stop();
  await world.bot.start();
  const again = await world.member("Alan").slash(world.channels.general, "styles");
  expect(again.message.attachments).toHaveLength(1);
  expect(countStyleRequests(world)).toBe(8);
});

it("lets a member try a style with a picture of their own", async () => {
  await using world = await openStyleWorld();
  const ada = world.member("Ada");
  const gallery = await ada.slash(world.channels.general, "styles");
  const form = await ada.select(gallery.message, "Try one with your own picture…", ["Duotone"]);
  const made = await ada.submit(form, { "Your picture": [await photograph()] });
  expect(made.message.id).not.toBe(gallery.message.id);
  expect(made.text).toContain("### Duotone");
  expect(ada.look(gallery.message)?.attachments).toHaveLength(1);
});

it("shows the other styles if the service fails for one, and styles can still be tried", async () => {
  await using world = await openStyleWorld();
  world.style.faults.add({ path: "/v1/process", do: "422" });
  const ada = world.member("Ada");
  const gallery = await ada.slash(world.channels.general, "styles");
  expect(gallery.message.attachments).toHaveLength(1);
  expect(gallery.text).toContain("One is missing from the picture");
  const form = await ada.select(gallery.message, "Try one with your own picture…", ["Oil paint"]);
  const made = await ada.submit(form, { "Your picture": [await photograph()] });
  expect(made.text).toContain("### Oil paint");
});

it("makes the samples from a share of their own, and says when that is used up", async () => {
  await using world = await openStyleWorld({ env: { STYLE_BUDGET: "5/hour" } });
  const ada = world.member("Ada");
  const gallery = await ada.slash(world.channels.general, "styles");
  expect(gallery.text).toMatch(/\d are missing from the picture: I can't make any more right now/);
  expect(gallery.text).not.toContain("still use");
  const options = { image: await photograph(), style: "oil" };
  expect((await ada.slash(world.channels.general, "style", options)).text).toContain("### Oil paint");
});

it("asks a failing service once, and shows only the names", async () => {
  await using world = await openStyleWorld();
  world.style.faults.add({ path: "/v1/process", do: "402", times: 99 });
  const { message, text } = await world.member("Ada").slash(world.channels.general, "styles");
  expect(message.attachments).toEqual([]);
  expect(text).toContain("8 are missing from the picture");
  expect(countStyleRequests(world)).toBe(1);
});

it("accepts any word as a style if there is no catalogue", async () => {
  await using world = await openStyleWorld({ env: { STYLE_CATALOGUE: "" } });
  const ada = world.member("Ada");
  const gallery = await ada.slash(world.channels.general, "styles");
  expect(gallery.text).toContain("any word the style service knows");
  const form = await ada.click(gallery.message, "Try one");
  const made = await ada.submit(form, { "Your picture": [await photograph()], Style: "Mononoke" });
  expect(made.text).toContain("### mononoke");
  expect(countStyleRequests(world)).toBe(1);
});

it("does not exist without a style service", async () => {
  await using world = await openStyleWorld({ env: { STYLE_API_KEY: "" } });
  const names = world
    .member("Ada")
    .commands(world.channels.general)
    .map(({ name }) => name);
  expect(names).not.toContain("style");
  expect(names).not.toContain("styles");
  expect(names).not.toContain("Restyle picture");
});

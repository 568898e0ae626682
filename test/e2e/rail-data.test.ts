// Rail data as a source, alone and beside the transport service.
import { expect, it } from "vitest";
import type { SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import { createTestDatabase } from "../open.ts";
import { sqlite } from "../support/databases.ts";
import { becomesTrue } from "../support/watch-morning.ts";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";

reportChecks();

/** The value of the first choice whose label matches. */
function choiceOf({ components }: SeenMessage, label: RegExp): string {
  const choices = JSON.stringify(components).matchAll(/"label":"([^"]+)","value":("(?:[^"\\]|\\.)+")/g);
  const [, , value = '""'] = [...choices].find(([, text = ""]) => label.test(text)) ?? [];
  return String(JSON.parse(value));
}

it("boards, trains and messages come from rail data, or from the transport service if rail data fails", async () => {
  await using world = await openCheckedWorld({ sources: ["transport", "rail-data"], seed: 38 });
  const { railData, transport, clock } = world;
  const { trains } = world.channels;
  const ada = world.member("Ada");
  const ask = (station: string) => ada.slash(trains, "departures", { station, view: "text" });

  expect((await ask("London Victoria")).text).toMatch(/-# \d+ min late because of .+ · /);
  const board = await ask("Faversham");
  expect(board.text).toContain("Rail Delivery Group");
  const messages = await ada.click(board.message, "Read all");
  expect(messages.text).toContain("[Status & Disruptions](https://www.nationalrail.co.uk/");
  const train = await ada.select(board.message, "Open a train…", [choiceOf(board.message, / and /)]);
  expect(train.text).toMatch(/-# .+ · \d+ coaches\n/);
  expect(train.text).toMatch(/🔀 Divides at \*\*.+\*\*: \d+ coaches go on to/);
  const watched = await ada.click(train.message, "Watch");
  expect(watched.text).toContain("Faversham");
  expect(transport.ledger).toEqual([]);

  railData.faults.add({ path: /GetServiceDetails/, do: "500", times: 2 });
  const elsewhere = await ada.select(board.message, "Open a train…", [
    choiceOf(board.message, /^\d\d:\d\d (?!.* and )/),
  ]);
  expect(elsewhere.text).toContain("transportapi.com");

  railData.faults.add({ path: /GetDepartureBoard/, do: "401", times: Infinity });
  const other = await ask("York");
  expect(other.text).toContain("transportapi.com");
  expect(other.text).not.toContain("Rail Delivery Group");
  // A refused key is not used again for an hour.
  railData.faults.clear();
  await clock.advance(30 * 60_000);
  expect((await ask("York")).text).toContain("transportapi.com");
  await clock.advance(31 * 60_000);
  expect((await ask("York")).text).toContain("Rail Delivery Group");
});

it("reports a disruption to a channel in one message from beginning to end, through a kill and failures", async () => {
  const env = { DATABASE_URL: await createTestDatabase(sqlite) };
  await using world = await openCheckedWorld({ bot: "process", sources: ["rail-data"], env });
  const { railData, channels } = world;
  const grace = world.member("Grace");
  const told = () => world.member("Alan").messages(channels.trains);
  const advanceAndTick = async (minutes: number): Promise<readonly string[]> => {
    await world.clock.advance(minutes * 60_000);
    await world.tick();
    return told().map(({ text }) => text.split("\n").slice(0, 3).join(" | "));
  };

  const options = { operator: "Northern", where: "here" };
  const refused = await world.member("Mary").slash(channels.trains, "watch disruptions", options);
  expect(refused.text).toMatch(/^Only people who manage the server/);
  const nobody = await grace.slash(channels.trains, "watch disruptions", { operator: "Norther Lights" });
  expect(nobody.text).toMatch(/^I don't know a train operator called “Norther Lights”/);
  railData.operators.set("Northern");
  const asked = await grace.slash(channels.trains, "watch disruptions", options);
  expect(asked.text).toMatch(
    /^### Watch Northern disruptions\?\nI'll post in <#\d+> once for each disruption that Northern reports, .* I won't ping anyone\./,
  );
  await grace.click(asked.message, "Save");
  expect(await advanceAndTick(1)).toEqual([]);

  railData.operators.set("Northern", { id: "A1", detail: "A signal failure at Leeds." });
  const hung = world.discord.faults.add({ method: "POST", path: "/channels/:c/messages", do: "hang-after" });
  await world.clock.advance(60_000);
  // The request hangs, and the bot is killed while it waits.
  void world.tick().catch(() => undefined);
  expect(await becomesTrue(() => hung.hits > 0, 20_000)).toBe(true);
  await world.bot.kill();
  hung.remove();
  await world.bot.start();
  expect(await advanceAndTick(3)).toEqual([
    "### Northern | ⚠️ **Minor delays** | A signal failure at Leeds.",
  ]);
  railData.operators.set("Northern", { id: "A1", detail: "Trains run again, but late." });
  const [changed] = await advanceAndTick(2);
  expect(changed).toMatch(/Trains run again, but late\.$/);

  const away = railData.faults.add({ path: /serviceIndicators/, do: "500", times: Infinity });
  expect(await advanceAndTick(6)).toEqual([changed]);
  expect(told()[0]?.text).toMatch(/I can't check at the moment/);
  const about = await grace.slash(grace.dm(), "about");
  expect(about.text).toMatch(/\*\*National Rail\*\*[^]*\*\*Last problem\*\* I couldn't reach it/);
  away.remove();
  railData.operators.set("Northern");
  await advanceAndTick(2);
  expect(await advanceAndTick(2)).toEqual([
    expect.stringMatching(/^### Northern \| ✅ \*\*Over since 17:\d\d\*\* \| -# Minor delays · /),
  ]);
  expect(await advanceAndTick(60)).toHaveLength(1);
  const status = await grace.slash(grace.dm(), "network", { operator: "NT" });
  expect((await grace.click(status.message, "Watch")).text).toMatch(
    /^### Watch Northern disruptions\?\nI'll DM you once for each/,
  );
  const list = await grace.slash(channels.trains, "watch list");
  expect(list.text).toMatch(/\*\*Northern disruptions\*\* · <#\d+>/);
}, 180_000);

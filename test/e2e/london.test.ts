// London's own lines: a tube station's board in a channel, stops in journeys, a bus stop, and a watched line.
import { expect, it } from "vitest";
import type { World } from "../../sandbox/world.ts";
import { createTestDatabase } from "../open.ts";
import { sqlite } from "../support/databases.ts";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";

reportChecks();

const MINUTE_MS = 60_000;
const SOURCES = ["transport", "tfl"] as const;

/** The messages that everybody sees in #trains. */
function posted(world: World) {
  return world.member("Alan").messages(world.channels.trains);
}

it("keeps a tube station's board up to date with one call a minute", async () => {
  await using world = await openCheckedWorld({ sources: SOURCES });
  const grace = world.member("Grace");
  const channel = world.channels.trains;
  const names = await grace.complete(channel, "departures", { station: "oxford c" }, "station");
  expect(names[0]).toEqual({ name: "Oxford Circus (Tube)", value: "940GZZLUOXC" });
  const typed = { station: "940GZZLUOXC" };
  const lines = await grace.complete(channel, "departures", { ...typed, operator: "" }, "operator");
  expect(lines.map(({ name }) => name)).toEqual(["Bakerloo line", "Central line", "Victoria line"]);

  const drawn = await grace.slash(channel, "departures", { ...typed, operator: "Victoria line" });
  expect(drawn.message.attachments[0]?.description).toMatch(
    /^Departures from Oxford Circus \(Tube\), Victoria line\. .*platform \d, (?:due|\d+ min), Victoria line/,
  );
  expect(drawn.text).toMatch(/Powered by TfL Open Data/);
  const refused = await grace.slash(channel, "arrivals", { station: "Oxford Circus" });
  expect(refused.text).toMatch(/^London's lines don't list arrivals separately/);
  await grace.delete(drawn.message);
  // The railway calls it "Heathrow Terminal 5 Rail", and a tube stop has the shorter name.
  const flight = { station: "PAD", to: "Heathrow Terminal 5", view: "text" };
  expect((await grace.slash(world.channels.general, "departures", flight)).text).toMatch(
    /^### Departures from London Paddington[^]*Heathrow Terminal 5/,
  );
  expect((await grace.slash(world.channels.general, "departures", { ...flight, to: "Bank" })).text).toMatch(
    /don't call at Bank/,
  );

  const asked = await grace.slash(channel, "board subscribe", { ...typed, view: "text" });
  expect(asked.text).toMatch(/updated every minute, day and night/);
  await grace.click(asked.message, "Save");
  await world.tick();
  const [first] = posted(world);
  const callsBefore = world.tfl.ledger.length;
  const seen = new Set([first?.text]);
  for (let minute = 0; minute < 3; minute += 1) {
    await world.clock.advance(MINUTE_MS);
    await world.tick();
    seen.add(posted(world)[0]?.text);
  }
  expect(posted(world).map(({ id }) => id)).toEqual([first?.id]);
  expect(seen.size).toBe(4);
  expect(posted(world)[0]?.text).toMatch(/\*\*17:2\d\*\* .* · platform \d · \*\*(?:Due|\d+ min)\*\*/);
  expect(posted(world)[0]?.text).not.toMatch(/on time|late/i);
  expect(world.tfl.ledger.length - callsBefore).toBe(3);

  // TfL fails for 15 minutes: the message stays, and is updated again afterwards.
  const bad = world.tfl.faults.add({ path: /Arrivals/, do: "500", times: Infinity });
  for (let minute = 0; minute < 15; minute += 1) {
    await world.clock.advance(MINUTE_MS);
    await world.tick();
  }
  expect(posted(world).map(({ id }) => id)).toEqual([first?.id]);
  expect(posted(world)[0]?.text).toMatch(/As of 17:2\d UK time/);
  bad.remove();
  await world.clock.advance(10 * MINUTE_MS);
  await world.tick();
  expect(posted(world).map(({ id }) => id)).toEqual([first?.id]);
  expect(posted(world)[0]?.text).toMatch(/As of 17:4\d UK time/);
});

it("suggests London's stops as ends of a journey if the planner knows them", async () => {
  await using world = await openCheckedWorld({ sources: SOURCES });
  const ada = world.member("Ada");
  const offered = await ada.complete(world.channels.trains, "journey", { from: "oxford c" }, "from");
  expect(offered[0]).toEqual({ name: "Oxford Circus (Tube)", value: "Oxford Circus" });
  const euston = await ada.complete(world.channels.trains, "journey", { from: "euston" }, "from");
  expect(euston.slice(0, 2).map(({ name }) => name)).toEqual(["London Euston (EUS)", "Euston Square (Tube)"]);
  expect(euston).not.toContainEqual(expect.objectContaining({ name: "Euston (Tube)" }));
  const pier = await ada.complete(world.channels.trains, "journey", { from: "greenwich pier" }, "from");
  expect(pier.map(({ name }) => name)).not.toContain("Greenwich Pier (River)");
  const options = { from: "Oxford Circus", to: "Bank", view: "text" };
  const plan = await ada.slash(world.channels.trains, "journey", options);
  expect(plan.text).toMatch(/^### Oxford Circus[^→]* → Bank/);
});

it("asks only TfL about a London bus stop", async () => {
  await using world = await openCheckedWorld({ sources: SOURCES });
  const ada = world.member("Ada");
  const found = await ada.slash(world.channels.trains, "bus", { stop: "WC2N 5DU" });
  const [, atco = ""] = /"value":"(490\w+)"/.exec(JSON.stringify(found.message.components)) ?? [];
  const before = world.transport.ledger.length;
  const chosen = await ada.select(found.message, "Pick one…", [atco]);
  expect(chosen.text).toMatch(/Powered by TfL Open Data/);
  expect(chosen.message.attachments[0]?.description).toMatch(
    /^Buses from .*, (?:Due|\d+ min) \(17:\d\d, live\)/,
  );
  expect(world.transport.ledger).toHaveLength(before);
});

it("reads each end of a line's hours, and speaks only of what was typed", async () => {
  await using world = await openCheckedWorld({ sources: SOURCES });
  const mary = world.member("Mary");
  const watch = async (options: { readonly from?: string; readonly until?: string }) =>
    (await mary.slash(world.channels.trains, "watch line", { line: "Victoria", ...options })).text;
  expect(await watch({ until: "late" })).toBe("I couldn't read “late” as a time. Try 17:31, 1731 or 5pm.");
  expect(await watch({ from: "7", until: "9" })).toMatch(
    /^### Watch Victoria line, 07:00–09:00, every day\?/,
  );
  expect(await watch({ from: "04:00" })).toMatch(/^### Watch Victoria line, all day, every day\?/);
  expect(await watch({ until: "9am" })).toMatch(/^### Watch Victoria line, 04:00–09:00, every day\?/);
});

it("reports trouble on a watched line in one message, across restarts", async () => {
  const env = { DATABASE_URL: await createTestDatabase(sqlite) };
  await using world = await openCheckedWorld({ sources: SOURCES, env, at: "2026-11-18T06:50:00Z" });
  const mary = world.member("Mary");
  world.tfl.lines.set("victoria");
  const asked = await mary.slash(world.channels.trains, "watch line", {
    line: "Victoria",
    from: "07:00",
    until: "09:00",
    days: "weekdays",
    ping: true,
  });
  expect(asked.text).toMatch(/^### Watch Victoria line, 07:00–09:00, Monday to Friday\?\nI'll DM you when/);
  await mary.click(asked.message, "Save");

  const told = () => mary.messages(mary.dm()).slice(1);
  const advanceAndTick = async (minutes: number): Promise<string> => {
    await world.clock.advance(minutes * MINUTE_MS);
    await world.tick();
    return told()
      .map(({ text }) => text.split("\n").slice(0, 2).join(" | "))
      .join("\n");
  };
  world.tfl.lines.set("victoria", { severity: 6, reason: "Severe delays while we fix a signal. " });
  expect(await advanceAndTick(5)).toBe("");
  expect(await advanceAndTick(8)).toBe("### Victoria line, 07:00–09:00, Wed 18 Nov | ⚠️ **Severe delays**");
  await world.bot.stop();
  await world.bot.start();
  world.tfl.lines.set("victoria", { severity: 3, reason: "No trains south of Stockwell. " });
  expect(await advanceAndTick(5)).toMatch(/\| ⚠️ \*\*Part suspended\*\*$/);
  world.tfl.faults.add({ path: /Status/, do: "500", times: 1 });
  expect(await advanceAndTick(5)).toMatch(/\| ⚠️ \*\*Part suspended\*\*$/);
  world.tfl.lines.set("victoria");
  expect(await advanceAndTick(10)).toMatch(/\| ✅ \*\*Good service again\.\*\*$/);
  expect(await advanceAndTick(100)).toMatch(/\| ✅ \*\*Good service again\.\*\*$/);
  expect(told()).toHaveLength(1);
  expect(told()[0]?.text).toMatch(/That's all for today\. I'll check again on Thursday\./);

  const list = await mary.slash(world.channels.trains, "watch list");
  expect(list.text).toMatch(/Your watches \(1\)\n\*\*Victoria line, 07:00–09:00, Monday to Friday\*\*/);
  const remove = await mary.slash(world.channels.trains, "watch remove");
  const [, id = ""] = /"value":"(\w{8})"/.exec(JSON.stringify(remove.message.components)) ?? [];
  expect((await mary.select(remove.message, "Stop…", [id])).text).toMatch(/^Stopped\. No more alerts for/);
});

// The railway's own boards in the bot, alone and beside the transport service.
import { expect, it } from "vitest";
import type { SeenMessage } from "../../sandbox/discord/actors/acts.ts";
import { openJudgedWorld, reportJudgement } from "../support/judged-world.ts";

reportJudgement();

/** The value of the first choice whose label matches. */
function choiceOf({ components }: SeenMessage, label: RegExp): string {
  const choices = JSON.stringify(components).matchAll(/"label":"([^"]+)","value":("(?:[^"\\]|\\.)+")/g);
  const [, , value = '""'] = [...choices].find(([, text = ""]) => label.test(text)) ?? [];
  return String(JSON.parse(value));
}

it("boards, trains and messages come from the railway; where it fails, boards come from the transport service", async () => {
  await using world = await openJudgedWorld({ sources: ["transport", "rail-data"], seed: 38 });
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
  // A key that is refused is not tried again for an hour.
  railData.faults.clear();
  await clock.advance(30 * 60_000);
  expect((await ask("York")).text).toContain("transportapi.com");
  await clock.advance(31 * 60_000);
  expect((await ask("York")).text).toContain("Rail Delivery Group");
});

// A member asks for buses: the real bot asks the stand-in, in both dialects.
import { describe, expect, it } from "vitest";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";

reportChecks();

/** A stop outside York station, in the stand-in's data. */
const STOP = "32902604A";

describe.each(["specification", "public"])("/bus in the %s dialect", (dialect) => {
  const env = { TRANSPORT_DIALECT: dialect };

  it("shows the buses of the stop with a given code, live if they are tracked", async () => {
    await using world = await openCheckedWorld({ env });
    const ada = world.member("Ada");
    const answer = await ada.slash(world.channels.trains, "bus", { stop: STOP, view: "text" });
    expect(answer.text).toMatch(/York Rail Station/);
    expect(answer.text).toMatch(/\*\*37\*\* Station Green, York.* · \*\*\d+ min\*\* \(17:[2-5]\d, /);
    expect(answer.text).toMatch(/on time|late/);
    expect(answer.text).toMatch(/source: \[transportapi\.com\]/);
    expect(world.transport.ledger).toHaveLength(1);

    const later = await ada.click(answer.message, "Later");
    expect(later.text).not.toBe(answer.text);
    expect(world.transport.ledger).toHaveLength(1);
    await world.clock.advance(10 * 60_000);
    const fresh = await ada.click(later.message, "Refresh");
    expect(fresh.text).toMatch(/As of 17:30/);
    const near = await ada.click(fresh.message, "Near here");
    expect(near.text).toMatch(/near York Rail Station/);
  });

  it("draws the stop as a board, and shows the same as text on a press", async () => {
    await using world = await openCheckedWorld({ env });
    const ada = world.member("Ada");
    const drawn = await ada.slash(world.channels.trains, "bus", { stop: STOP });
    expect(drawn.message.attachments[0]?.description).toMatch(/^Buses from York Rail Station.* 37 · /);
    const text = await ada.click(drawn.message, "Text");
    expect(text.message.attachments).toEqual([]);
    expect(text.text).toMatch(/\*\*37\*\* /);
  });

  it.each(["York", "Mill Lane", "YO24 1AB", "53.958,-1.093"])(
    "lets a member choose among the stops for %s",
    async (stop) => {
      await using world = await openCheckedWorld({ env });
      const ada = world.member("Ada");
      const answer = await ada.slash(world.channels.trains, "bus", { stop });
      expect(answer.text).toMatch(/Which one do you mean/);
      expect(answer.message.ephemeral).toBe(true);
      const [, atco = ""] = /"value":"(\w+)"/.exec(JSON.stringify(answer.message.components)) ?? [];
      const chosen = await ada.select(answer.message, "Pick one…", [atco]);
      expect(chosen.text).toMatch(/^### 🚌 /);
      expect(chosen.message.ephemeral).toBe(false);
    },
  );

  it("serves several members who ask for the same stop within a minute with one call", async () => {
    await using world = await openCheckedWorld({ env });
    for (const name of ["Ada", "Grace", "Alan", "Mary"]) {
      await world.member(name).slash(world.channels.trains, "bus", { stop: STOP });
    }
    expect(world.transport.ledger).toHaveLength(1);
  });

  it("says that it does not know a stop, by code or by name", async () => {
    await using world = await openCheckedWorld({ env });
    const ada = world.member("Ada");
    const code = await ada.slash(world.channels.trains, "bus", { stop: "3290YYA99999" });
    expect(code.message.ephemeral).toBe(true);
    expect(code.text).toMatch(/don't know a bus stop with the code 3290YYA99999/);
    const name = await ada.slash(world.channels.trains, "bus", { stop: "Xyzzy" });
    expect(name.message.ephemeral).toBe(true);
    expect(name.text).toMatch(/can't find a bus stop called “Xyzzy”/);
  });
});

it("suggests stops found earlier and stations, without asking the service", async () => {
  await using world = await openCheckedWorld();
  const ada = world.member("Ada");
  await ada.slash(world.channels.trains, "places", { query: "York", type: "bus-stop", near: "YRK" });
  const asked = world.transport.ledger.length;
  const choices = await ada.complete(world.channels.trains, "bus", { stop: "york rail" }, "stop");
  expect(choices[0]).toMatchObject({
    name: expect.stringMatching(/^York Rail Station/),
    value: expect.stringMatching(/^3290/),
  });
  const [named] = await ada.complete(world.channels.trains, "bus", { stop: "york station" }, "stop");
  expect(named).toMatchObject({ name: "Stops near York station", value: "YRK" });
  const stations = await ada.complete(world.channels.trains, "bus", { stop: "leeds" }, "stop");
  expect(stations).toContainEqual(
    expect.objectContaining({ name: "Stops near Leeds station", value: "LDS" }),
  );
  expect(world.transport.ledger).toHaveLength(asked);
});

it("refuses input that cannot be a stop, without asking the service", async () => {
  await using world = await openCheckedWorld();
  const ada = world.member("Ada");
  for (const stop of ["🚌", "../32902604A", "atcocode:x/y", "48.8566,2.3522", "BT1 5GS", "<@1>"]) {
    const answer = await ada.slash(world.channels.trains, "bus", { stop });
    expect(answer.message.ephemeral).toBe(true);
    expect(answer.text).not.toContain("\n");
  }
  expect(world.transport.ledger).toEqual([]);
});

it("shows the last known buses if the plan is used up, and says so", async () => {
  await using world = await openCheckedWorld({ env: { TRANSPORT_BUDGET: "1/hour" } });
  const ada = world.member("Ada");
  const first = await ada.slash(world.channels.trains, "bus", { stop: STOP });
  expect(first.message.ephemeral).toBe(false);
  await world.clock.advance(5 * 60_000);
  const old = await ada.click(first.message, "Refresh");
  expect(old.text).toMatch(/Live data is used up for now\. This is 5 minutes old\./);
  expect(world.transport.ledger).toHaveLength(1);
});

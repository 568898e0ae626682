// A member asks for the state of the network: the real bot asks the stand-in, in both dialects.
import { describe, expect, it } from "vitest";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";

reportChecks();

describe("/network in the specification dialect", () => {
  it("lists the operators, worst first, with one call, and shows details, buses and filters on request", async () => {
    await using world = await openCheckedWorld({ env: { TRANSPORT_DIALECT: "specification" } });
    const ada = world.member("Ada");
    const answer = await ada.slash(world.channels.trains, "network");
    expect(answer.text).toMatch(/### Network status\n(?:🔴 .*\n)*(?:🟡 .*\n)*🟢 \*\*Running well/);
    expect(answer.text).not.toMatch(/🚌|Roadworks/);
    const [, value = ""] = /"value":"([^"]*)"/.exec(JSON.stringify(answer.message.components)) ?? [];
    const details = await ada.select(answer.message, "Details…", [value]);
    expect(details.message.ephemeral).toBe(true);
    expect(details.text).toMatch(/^### .+\n[🔴🟡]/u);
    expect(world.transport.ledger.map(({ path }) => path)).toEqual(["/v3/uk/status.json"]);

    // Only a station's operators, one mode, or one operator.
    const near = await ada.slash(world.channels.trains, "network", { near: "York" });
    expect(near.text).toMatch(/-# Near York/);
    expect(near.text).not.toMatch(/Southern|Merseyrail/);
    const buses = await ada.slash(world.channels.trains, "network", { mode: "bus" });
    expect(buses.text).toMatch(/🚌/);
    const back = await ada.click(buses.message, "All but buses");
    expect(back.text).not.toMatch(/🚌/);
    const one = await ada.slash(world.channels.trains, "network", { operator: "LNER" });
    expect(one.text).toMatch(/[🔴🟡🟢] \*\*LNER\*\*/u);

    // With a plan this large, disruptions can be watched too, with one call in twenty.
    const asked = await ada.slash(ada.dm(), "watch disruptions");
    await ada.click(asked.message, "Save");
    const before = world.transport.ledger.length;
    for (let minutes = 0; minutes < 6; minutes += 1) {
      await world.clock.advance(60_000);
      await world.tick();
    }
    expect(world.transport.ledger.length - before).toBeLessThanOrEqual(5);
    const told = ada.messages(ada.dm()).map(({ text }) => text);
    expect(told.join("\n")).toMatch(/⚠️ \*\*[^]+transportapi\.com/);
    expect(told.join("\n")).not.toMatch(/Wightlink|Victoria/);
  });
});

describe("/network in the public dialect", () => {
  it("counts the trains of boards that members opened recently, without a call of its own", async () => {
    await using world = await openCheckedWorld({
      env: { TRANSPORT_DIALECT: "public" },
      sources: ["transport", "tfl"],
    });
    const ada = world.member("Ada");
    world.tfl.lines.set("victoria", { severity: 6, reason: "Severe delays while we fix a signal. " });
    const nothing = await ada.slash(world.channels.trains, "network", { operator: "Victoria" });
    expect(nothing.text).toMatch(
      /🔴 🚇 \*\*Victoria line\*\* · Severe delays\n-# Severe delays while we fix a signal\.\n/u,
    );
    expect(nothing.text).toMatch(/nobody has opened a departure board lately[^]*Powered by TfL Open Data/);
    expect(world.tfl.ledger).toHaveLength(1);
    for (const station of ["YRK", "LDS", "EUS", "BHM"]) {
      await ada.slash(world.channels.trains, "departures", { station, view: "text" });
    }
    const before = world.transport.ledger.length;
    const answer = await ada.slash(world.channels.trains, "network");
    expect(answer.text).toMatch(/boards of 4 stations that people opened recently/);
    expect(answer.text).toMatch(/[🔴🟡] \*\*.+\*\* · \d+ trains\\: /u);
    expect(world.transport.ledger).toHaveLength(before);
  });
});

// A member asks how the network stands: the real bot asking the stand-in, in both dialects.
import { describe, expect, it } from "vitest";
import { openJudgedWorld, reportJudgement } from "../support/judged-world.ts";

reportJudgement();

describe("/network in the specification dialect", () => {
  it("shows trouble by mode first, then what runs well, for one request", async () => {
    await using world = await openJudgedWorld({ env: { TRANSPORT_DIALECT: "specification" } });
    const ada = world.member("Ada");
    const answer = await ada.slash(world.channels.trains, "network");
    expect(answer.text).toMatch(/🚆 Trains\*\*[^]*running well/);
    expect(answer.text).toMatch(/the service's own state of the network/);
    expect(answer.text).toMatch(/source: http:\/\/transportapi\.com\//);
    await ada.click(answer.message, "Refresh");
    expect(world.transport.ledger.map(({ path }) => path)).toEqual(["/v3/uk/status.json"]);
    await world.clock.advance(10 * 60_000);
    const later = await ada.click(answer.message, "Refresh");
    expect(later.text).toMatch(/As of 17:30/);
  });
});

describe("/network in the public dialect", () => {
  const env = { TRANSPORT_DIALECT: "public" };

  it("shows bus situations and says that it knows nothing of trains yet", async () => {
    await using world = await openJudgedWorld({ env });
    const answer = await world.member("Ada").slash(world.channels.trains, "network");
    expect(answer.text).toMatch(/🚌 Buses/);
    expect(answer.text).toMatch(/nobody has looked at a board lately/);
    expect(answer.text).toMatch(/no state of the whole network/);
  });

  it("adds cancellations of boards that members looked at, without a request of its own for them", async () => {
    await using world = await openJudgedWorld({ env });
    const ada = world.member("Ada");
    for (const station of ["YRK", "LDS", "EUS", "BHM"]) {
      await ada.slash(world.channels.trains, "departures", { station, view: "text" });
    }
    const before = world.transport.ledger.length;
    const answer = await ada.slash(world.channels.trains, "network");
    expect(answer.text).toMatch(/boards of 4 stations that people looked at lately/);
    expect(answer.text).toMatch(/Based on the bus operators' latest reports and on boards/);
    expect(world.transport.ledger.slice(before).map(({ path }) => path)).toEqual([
      "/v3/uk/bus/situations.json?limit=20",
    ]);
  });
});

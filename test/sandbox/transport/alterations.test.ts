import { expect, test } from "vitest";
import { openStandIn } from "./open-stand-in.ts";

test.each([
  ["/public_journey.json?from=crs:YRK&to=crs:LDS", "routes"],
  ["/places.json?query=york", "member"],
  ["/bus/stops/near.json?lat=53.958&lon=-1.093", "stops"],
  ["/bus/situations.json", "member"],
  ["/status.json", "status"],
])("a fault can change the list of %s, which still counts as a hit", async (path, key) => {
  await using open = await openStandIn();
  const plain = await open.ask(path);
  for (const kind of ["renamed-fields", "odd-values", "text-for-list"] as const) {
    open.standIn.faults.add({ path: /./, do: kind });
    const altered = await open.ask(path);
    expect(altered.status).toBe(200);
    expect(altered.body[key]).not.toEqual(plain.body[key]);
  }
  expect((await open.ask(path)).body[key]).toEqual(plain.body[key]);
  expect(open.standIn.plan.used).toBe(5);
});

test("a fault can change the rows of a bus stop in both layouts", async () => {
  await using open = await openStandIn();
  for (const group of ["no", "route"]) {
    open.standIn.faults.add({ path: /./, do: "renamed-fields" });
    const { text } = await open.ask(`/bus/stop/32902604A/live.json?group=${group}`);
    expect(text).toContain("aimed-departure-time");
  }
});

test.each(["/public_journey.json?from=crs:YRK&to=crs:LDS", "/places.json?query=york", "/status.json"])(
  "%s is refused without credentials and when the plan is used up",
  async (path) => {
    await using open = await openStandIn({ plan: { limit: 0 } });
    expect((await open.askRaw(`/v3/uk${path}`)).status).toBe(401);
    const refused = await open.ask(path);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("usage limits are exceeded");
  },
);

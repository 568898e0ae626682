import { expect, test } from "vitest";
import { z } from "zod";
import { inOneGo } from "../../../sandbox/transport/gradual.ts";
import { operatorName } from "../../../sandbox/transport/railway/operators.ts";
import { fateOf } from "../../../sandbox/transport/railway/fate.ts";
import { openStandIn } from "./open-stand-in.ts";

const statusSchema = z.strictObject({
  request_time: z.string(),
  status: z.array(
    z.strictObject({
      mode: z.string(),
      name: z.string(),
      status: z.string().min(1),
      description: z.string(),
    }),
  ),
});

test("the network's status tells of every mode, and counts the trains that boards show cancelled", async () => {
  await using open = await openStandIn();
  const { status: rows } = statusSchema.parse((await open.ask("/status.json")).body);
  expect(new Set(rows.map((row) => row.mode))).toEqual(new Set(["train", "tube", "tram", "boat", "bus"]));
  const nowMs = open.clock.now();
  const cancelled = new Map<string, number>();
  for (const train of inOneGo(open.standIn.timetable.trainsBetween(nowMs, nowMs + 3_600_000))) {
    const fate = fateOf(train, 1);
    const name = operatorName(train.operator) ?? "";
    if (fate.cancelled && nowMs >= fate.cancelledKnownMs) {
      cancelled.set(name, (cancelled.get(name) ?? 0) + 1);
    }
  }
  expect(cancelled.size).toBeGreaterThan(5);
  for (const [name, count] of cancelled) {
    const row = rows.find((each) => each.mode === "train" && each.name === name);
    expect(row?.description).toContain(`${count} fully or partly cancelled`);
  }
});

test("a cancelled train of the status stands cancelled on its board", async () => {
  await using open = await openStandIn({ dialect: "public" });
  const nowMs = open.clock.now();
  const train = inOneGo(open.standIn.timetable.trainsBetween(nowMs, nowMs + 3_600_000)).find((each) => {
    const fate = fateOf(each, 1);
    const isWhole = fate.cancelled?.from === 0 && fate.cancelled.to === each.calls.length;
    return isWhole && nowMs >= fate.cancelledKnownMs && (each.calls[0]?.departMs ?? 0) > nowMs;
  });
  const crs = train?.calls[0]?.station.crs ?? "";
  const { departures } = await open.ask(`/train/station/${crs}/live.json?limit=1000`);
  expect(departures.find((row) => row["train_uid"] === train?.uid)).toMatchObject({ status: "CANCELLED" });
});

test("the network's status is good on Christmas Day, when no train runs", async () => {
  await using open = await openStandIn({ at: "2026-12-25T12:00:00Z" });
  const { status: rows } = statusSchema.parse((await open.ask("/status")).body);
  expect(rows.filter((row) => row.mode === "train")).toEqual([]);
});

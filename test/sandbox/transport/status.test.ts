import { expect, test } from "vitest";
import { z } from "zod";
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

test("the network's status covers every mode, and reports trains that a signaller has cancelled", async () => {
  await using open = await openStandIn();
  const ask = async () => statusSchema.parse((await open.ask("/status.json")).body).status;
  const rows = await ask();
  expect(new Set(rows.map((row) => row.mode))).toEqual(new Set(["train", "tube", "tram", "boat", "bus"]));
  expect(rows.filter((row) => row.mode === "train").length).toBeGreaterThan(20);
  const nowMs = open.clock.now();
  for (const { train, at } of open.standIn.timetable.trainsAt("YRK", nowMs, nowMs + 3_600_000)) {
    if (train.operator === "GR" && at < train.calls.length - 1) {
      open.standIn.trains.order(train.uid, train.serviceDate, { cancelled: true });
    }
  }
  const cancelled = (await ask()).find((row) => row.mode === "train" && row.name === "LNER");
  expect(cancelled?.status).toBe("Major disruption");
  expect(cancelled?.description).toMatch(/\d+ fully or partly cancelled/);
});

test("the network's status mentions no train operator on Christmas Day, when no train runs", async () => {
  await using open = await openStandIn({ at: "2026-12-25T12:00:00Z" });
  const { status: rows } = statusSchema.parse((await open.ask("/status.json")).body);
  expect(rows.filter((row) => row.mode === "train")).toEqual([]);
});

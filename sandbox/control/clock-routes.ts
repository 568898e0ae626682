// Reading and turning the sandbox's clock.
import { Hono } from "hono";
import { z } from "zod";
import { CLOCK_RATES } from "../clock/pace.ts";
import type { ClockOrder, ClockState } from "./api/clock.ts";
import { listJumps } from "./jumps.ts";
import type { ControlParts } from "./parts.ts";

const turn = z.union([
  z.object({ advanceMs: z.number().nonnegative() }),
  z.object({ at: z.iso.datetime({ offset: true }) }),
  z.object({ jump: z.enum(["now", "rush-hour", "night", "spring-change", "autumn-change"]) }),
  z.object({ rate: z.literal(CLOCK_RATES) }),
]) satisfies z.ZodType<ClockOrder>;

/** `GET` tells the time; `POST` takes `{ advanceMs }`, `{ at }`, `{ jump }` or `{ rate }`. */
export function clockRoutes({ clock, pace }: Pick<ControlParts, "clock" | "pace">): Hono {
  const state = (): ClockState => ({
    nowMs: clock.now(),
    mode: clock.mode,
    rate: pace.rate,
    jumps: listJumps(clock.now()),
  });

  async function obey(order: ClockOrder): Promise<void> {
    if ("rate" in order) {
      pace.setRate(order.rate);
    } else if ("advanceMs" in order) {
      await pace.turnTo(clock.now() + order.advanceMs);
    } else if ("at" in order) {
      await pace.turnTo(Date.parse(order.at));
    } else {
      if (order.jump === "now") {
        pace.setRate(1);
      }
      const wanted = listJumps(clock.now()).find(({ id }) => id === order.jump);
      await pace.turnTo(wanted?.atMs ?? clock.now());
    }
  }

  return new Hono()
    .get("/", (context) => context.json(state()))
    .post("/", async (context) => {
      await obey(turn.parse(await context.req.json()));
      return context.json(state());
    });
}

// Reading and turning the sandbox's clock.
import { Hono } from "hono";
import { z } from "zod";
import type { ClockOrder, ClockState } from "./api/clock.ts";
import { listJumps } from "./jumps.ts";
import type { ControlParts } from "./parts.ts";

const turn = z.union([
  z.object({ advanceMs: z.number().nonnegative() }),
  z.object({ jump: z.enum(["now", "rush-hour", "night", "spring-change", "autumn-change"]) }),
  z.object({ passMs: z.number().positive().max(60_000) }),
]) satisfies z.ZodType<ClockOrder>;

/** `GET` tells the time; `POST` takes `{ advanceMs }`, `{ passMs }` or `{ jump }`. */
export function clockRoutes({ clock, pace }: Pick<ControlParts, "clock" | "pace">): Hono {
  const state = (): ClockState => ({
    nowMs: clock.now(),
    mode: clock.mode,
    jumps: listJumps(clock.now()),
  });

  async function obey(order: ClockOrder): Promise<void> {
    if ("passMs" in order) {
      await pace.pass(order.passMs);
    } else if ("advanceMs" in order) {
      await pace.turnTo(clock.now() + order.advanceMs);
    } else {
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

// Reading and turning the sandbox's clock.
import { Hono } from "hono";
import { z } from "zod";
import type { TurnedClock } from "../clock.ts";

const turn = z.union([
  z.object({ advanceMs: z.number().nonnegative() }),
  z.object({ at: z.iso.datetime({ offset: true }) }),
]);

/** `GET` tells the time; `POST` takes `{ advanceMs }` or `{ at }`. */
export function clockRoutes(clock: TurnedClock): Hono {
  const state = () => ({ nowMs: clock.now(), mode: clock.mode });
  return new Hono()
    .get("/", (context) => context.json(state()))
    .post("/", async (context) => {
      const wanted = turn.parse(await context.req.json());
      await ("at" in wanted ? clock.set(Date.parse(wanted.at)) : clock.advance(wanted.advanceMs));
      return context.json(state());
    });
}

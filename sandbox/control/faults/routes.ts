// Bad days on demand.
import { Hono } from "hono";
import { z } from "zod";
import type { FaultOrder } from "../api/faults.ts";
import type { FaultBoard } from "./fault-board.ts";

const order = z.object({
  switchId: z.string(),
  times: z.int().positive().exactOptional(),
}) satisfies z.ZodType<FaultOrder>;

/** `GET`, `POST`, `DELETE /:id`, `DELETE`: all answer how it is then. */
export function faultRoutes(board: FaultBoard): Hono {
  return new Hono()
    .get("/", (context) => context.json(board.state()))
    .post("/", async (context) => {
      board.order(order.parse(await context.req.json()));
      return context.json(board.state());
    })
    .delete("/", (context) => {
      board.clear();
      return context.json(board.state());
    })
    .delete("/:id", (context) => {
      board.remove(Number(context.req.param("id")));
      return context.json(board.state());
    });
}

// The signaller's orders to single trains.
import { Hono } from "hono";
import { z } from "zod";
import type { TrainOrders } from "../transport/railway/orders.ts";

const train = z.object({ uid: z.string(), date: z.iso.date() });
const ordered = train.extend({
  order: z.strictObject({
    delayMinutes: z.union([z.int().nonnegative().max(99), z.literal("unknown")]).optional(),
    platforms: z.record(z.string(), z.string().nullable()).optional(),
    cancelled: z.boolean().optional(),
    bus: z.boolean().optional(),
    hidden: z.boolean().optional(),
  }),
});

/** `GET` lists `{ uid, serviceDate, order }`; `POST` takes `{ uid, date, order }`; `DELETE` takes all back of `{ uid, date }`. */
export function trainRoutes(trains: TrainOrders): Hono {
  return new Hono()
    .get("/", (context) => context.json(trains.list()))
    .post("/", async (context) => {
      const { uid, date, order } = ordered.parse(await context.req.json());
      trains.order(uid, date, order);
      return context.json(trains.list());
    })
    .delete("/", async (context) => {
      const { uid, date } = train.parse(await context.req.json());
      trains.undo(uid, date);
      return context.json(trains.list());
    });
}

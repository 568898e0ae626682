// The sandbox's own routes, below /_sandbox: what the page needs to play a member. Never part of Discord.
import { Hono } from "hono";
import { loopbackOnly } from "../page/loopback-only.ts";
import { performAct } from "./act.ts";
import { clockRoutes } from "./clock-routes.ts";
import { streamEvents } from "./events.ts";
import type { ControlParts } from "./parts.ts";
import { trainRoutes } from "./train-routes.ts";
import { formatView } from "./view.ts";

/** Everything below `/_sandbox`, for loopback only. */
export function createControlRoutes(parts: ControlParts): Hono {
  const routes = new Hono();
  routes.use(loopbackOnly);
  routes.get("/view", (context) => {
    const { member = "", channel = "" } = context.req.query();
    return context.json(formatView(parts, member, channel));
  });
  routes.post("/act", async (context) =>
    context.json(await performAct(parts.discord, await context.req.json())),
  );
  routes.get("/events", (context) => streamEvents(parts, context));
  routes.route("/clock", clockRoutes(parts.clock));
  routes.route("/trains", trainRoutes(parts.trains));
  routes.get("/requests", (context) =>
    context.json(
      parts.discord.requests.slice(-100).map(({ files, ...request }) => ({
        ...request,
        files: files.map(({ name, bytes }) => ({ name, sizeBytes: bytes.length })),
      })),
    ),
  );
  routes.onError((error, context) => {
    return context.json({ error: error.message }, 400);
  });
  return routes;
}

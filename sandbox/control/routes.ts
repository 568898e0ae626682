// The sandbox's own routes below /_sandbox, with which the page plays a member. Discord has nothing like them.
import { Hono } from "hono";
import { z } from "zod";
import { loopbackOnly } from "../page/loopback-only.ts";
import { NoResponseError } from "../discord/actors/answer.ts";
import { performAction } from "./action.ts";
import { botRoutes } from "./bot-routes.ts";
import type { Refusal } from "./chat/api.ts";
import { chatRoutes } from "./chat/routes.ts";
import { clockRoutes } from "./clock-routes.ts";
import { streamEvents } from "./events.ts";
import { faultRoutes } from "./faults/routes.ts";
import { serviceRoutes } from "./service-routes.ts";
import type { ControlParts } from "./parts.ts";
import { trafficRoutes } from "./traffic/routes.ts";

/** All routes below `/_sandbox`; they accept only connections from this machine. */
export function createControlRoutes(parts: ControlParts): Hono {
  const routes = new Hono();
  routes.use(loopbackOnly);
  routes.post("/act", async (context) =>
    context.json(await performAction(parts.discord, await context.req.json())),
  );
  routes.route("/chat", chatRoutes(parts));
  routes.get("/events", (context) => streamEvents(parts, context));
  routes.route("/traffic", trafficRoutes(parts));
  routes.route("/services", serviceRoutes(parts));
  routes.route("/faults", faultRoutes(parts));
  routes.route("/clock", clockRoutes(parts));
  routes.route("/bot", botRoutes(parts));
  routes.onError((error, context) => {
    const kind = error instanceof NoResponseError ? "no-response" : "refused";
    const words = error instanceof z.ZodError ? z.prettifyError(error) : error.message;
    return context.json({ error: words, kind } satisfies Refusal, 400);
  });
  return routes;
}

import { Hono } from "hono";
import type { BotControl } from "../bot/control.ts";
import { botOrder, type BotState } from "./api/bot.ts";
import type { ControlParts } from "./parts.ts";

export function formatBot({ place, status, pid }: BotControl): BotState {
  return {
    state: place === "none" ? "none" : status.phase,
    pid: pid ?? null,
    starts: status.starts,
    problem: status.problem ?? null,
  };
}

/** `GET /` returns the bot's state; `POST /` takes `{ do }` and waits for the bot's end, but not until it is ready. */
export function botRoutes({ bot }: ControlParts): Hono {
  return new Hono()
    .get("/", (context) => context.json(formatBot(bot)))
    .post("/", async (context) => {
      const { do: what } = botOrder.parse(await context.req.json());
      if (bot.place === "none") {
        throw new Error("This sandbox does not run the bot.");
      }
      if (bot.status.phase === "starting") {
        throw new Error("The bot is already starting.");
      }
      if (what !== "start") {
        await bot.kill();
      }
      if (what !== "kill") {
        // The bot's status says why it could not start.
        bot.start().catch(() => undefined);
      }
      return context.json(formatBot(bot));
    });
}

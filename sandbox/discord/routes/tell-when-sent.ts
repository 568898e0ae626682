// Whoever waits for an interaction hears of it once the bot has been answered: by then the record is whole.
import type { Interaction } from "../entities.ts";
import type { Platform } from "../platform.ts";
import type { RouteContext } from "./environment.ts";

/** Tells that an interaction went on as soon as this request's answer has left, or could not. */
export function tellWhenSent(platform: Platform, context: RouteContext, interaction: Interaction): void {
  const { outgoing } = context.env;
  let isTold = false;
  const tell = () => {
    if (!isTold) {
      isTold = true;
      platform.changes.tell({ type: "interaction-changed", interaction });
    }
  };
  outgoing.once("finish", tell).once("close", tell);
  // Members see what was applied, also where a fault holds its answer back from the bot.
  if (context.var.record?.fault === "hang-after") {
    setImmediate(tell);
  }
}

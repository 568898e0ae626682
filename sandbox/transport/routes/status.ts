// The specification's state of the network. It shows neither parameters nor fields; the public service has no such path.
import { Hono } from "hono";
import { answer } from "../answer/answer.ts";
import { inSlices } from "../gradual.ts";
import type { StandInContext, StandInEnv } from "../context.ts";
import { localStatus } from "../status/local-status.ts";
import { trainStatus } from "../status/train-status.ts";

/** Below `/v3/uk`. */
export function createStatus(standIn: StandInContext): Hono<StandInEnv> {
  const routes = new Hono<StandInEnv>();
  routes.on("GET", ["/status.json", "/status"], async (request) => {
    const nowMs = standIn.clock.now();
    const { railway } = standIn;
    const trains = await inSlices(trainStatus(railway, nowMs));
    return answer(standIn, request, {
      request_time: `${new Date(nowMs).toISOString().slice(0, 19)}Z`,
      status: [...trains, ...localStatus(nowMs, railway.seed)],
    });
  });
  return routes;
}

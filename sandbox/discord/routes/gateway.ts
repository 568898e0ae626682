// Where the gateway is, and how often one may still identify.
import type { Platform } from "../platform.ts";
import { createRoutes, type Routes } from "./environment.ts";

/** IDENTIFYs in 24 hours. */
const IDENTIFY_LIMIT = 1000;
const DAY_MS = 86_400_000;

export function gatewayRoutes(platform: Platform): Routes {
  const url = () => `${platform.baseUrl.replace("http", "ws")}/gateway`;
  return createRoutes()
    .get("/gateway", (context) => context.json({ url: url() }))
    .get("/gateway/bot", (context) => {
      const sinceMs = platform.clock.now() - DAY_MS;
      const recent = platform.state.identifiedAtMs.filter((atMs) => atMs > sinceMs);
      const [oldest] = recent;
      return context.json({
        url: url(),
        shards: platform.settings.shards,
        session_start_limit: {
          total: IDENTIFY_LIMIT,
          remaining: Math.max(0, IDENTIFY_LIMIT - recent.length),
          reset_after: oldest === undefined ? 0 : oldest + DAY_MS - platform.clock.now(),
          max_concurrency: platform.settings.identifyConcurrency,
        },
      });
    });
}

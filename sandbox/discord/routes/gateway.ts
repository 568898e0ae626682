// Where the gateway is, and how often one may still identify.
import { identifiesOfDay } from "../gateway/identify-pace.ts";
import type { Platform } from "../platform.ts";
import { createRoutes, type Routes } from "./environment.ts";

const DAY_MS = 86_400_000;

export function gatewayRoutes(platform: Platform): Routes {
  const url = () => `${platform.baseUrl.replace("http", "ws")}/gateway`;
  return createRoutes()
    .get("/gateway", (context) => context.json({ url: url() }))
    .get("/gateway/bot", (context) => {
      const recent = identifiesOfDay(platform);
      const { identifyLimit } = platform.settings;
      const [oldest] = recent;
      return context.json({
        url: url(),
        shards: platform.settings.shards,
        session_start_limit: {
          total: identifyLimit,
          remaining: Math.max(0, identifyLimit - recent.length),
          reset_after: oldest === undefined ? 0 : oldest + DAY_MS - platform.clock.now(),
          max_concurrency: platform.settings.identifyConcurrency,
        },
      });
    });
}

// Route buckets: each route allows a number of requests per window, separately for each channel, guild or webhook. A
// window begins with its first request.
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { shapeOf } from "./route-shape.ts";

interface BucketRule {
  readonly limit: number;
  readonly windowMs: number;
}

/** The rules by method and shape of a path, e.g. `POST /channels/:id/messages`; `*` is for all others. */
export type BucketRules = Readonly<Record<string, BucketRule>>;

/**
 * Discord does not publish these limits and may change them at any time, so a bot must read the headers. The values are
 * similar to those that others have seen in the headers.
 */
export const DEFAULT_BUCKETS: BucketRules = {
  "*": { limit: 50, windowMs: 1000 },
  "POST /channels/:id/messages": { limit: 5, windowMs: 5000 },
  "PATCH /channels/:id/messages/:id": { limit: 5, windowMs: 5000 },
  "DELETE /channels/:id/messages/:id": { limit: 5, windowMs: 1000 },
  "GET /channels/:id/messages": { limit: 10, windowMs: 5000 },
  "POST /channels/:id/typing": { limit: 5, windowMs: 5000 },
  "POST /webhooks/:id/:token": { limit: 5, windowMs: 2000 },
  "PATCH /webhooks/:id/:token/messages/:id": { limit: 5, windowMs: 2000 },
  "DELETE /webhooks/:id/:token/messages/:id": { limit: 5, windowMs: 1000 },
};

export type BucketState = ReturnType<ReturnType<typeof createBuckets>["take"]>;

interface Bucket {
  remaining: number;
  resetAtMs: number;
}

/** How many buckets are remembered: far more than one bot can use within a window. */
const MAX_BUCKETS = 2000;

/** `rules` is read at each request, so that it can be changed. */
export function createBuckets(rules: () => BucketRules) {
  const buckets = new LRUCache<string, Bucket>({ max: MAX_BUCKETS });
  return {
    get size() {
      return buckets.size;
    },
    take(method: string, path: string, nowMs: number) {
      const { shape, major } = shapeOf(method, path);
      const all = rules();
      const { limit, windowMs } = all[shape] ?? all["*"] ?? { limit: 1, windowMs: 1000 };
      const key = `${shape} ${major}`;
      let bucket = buckets.get(key);
      if (bucket === undefined || bucket.resetAtMs <= nowMs) {
        bucket = { remaining: limit, resetAtMs: nowMs + windowMs };
        buckets.set(key, bucket);
      }
      const isExhausted = bucket.remaining <= 0;
      bucket.remaining = Math.max(0, bucket.remaining - 1);
      return {
        /** The same for all channels of a route. */
        hash: createHash("md5").update(shape).digest("hex"),
        limit,
        remaining: bucket.remaining,
        resetAfterMs: bucket.resetAtMs - nowMs,
        /** Whether the bucket had no room for this request. */
        isExhausted,
      };
    },
    clear: () => buckets.clear(),
  };
}

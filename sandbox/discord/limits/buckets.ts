// Route buckets: a number of requests per window, which begins with the first one, for each channel, guild or
// webhook.
import { createHash } from "node:crypto";
import type { BucketRules } from "./bucket-rules.ts";
import { shapeOf } from "./route-shape.ts";

/** What the headers report about a bucket. */
export interface BucketState {
  /** The same for all channels of a route. */
  readonly hash: string;
  readonly limit: number;
  /** After this request. */
  readonly remaining: number;
  readonly resetAfterMs: number;
  /** The bucket had no room for this request. */
  readonly isExhausted: boolean;
}

export interface Buckets {
  /** How many buckets are remembered. */
  readonly size: number;
  take(method: string, path: string, nowMs: number): BucketState;
  clear(): void;
}

interface Bucket {
  remaining: number;
  resetAtMs: number;
}

/** Above this number, refilled buckets are deleted. */
const SWEEP_AT = 2000;

/** `rules` is read at each request, so that it can be changed. */
export function createBuckets(rules: () => BucketRules): Buckets {
  const buckets = new Map<string, Bucket>();
  const hashes = new Map<string, string>();
  let sweepAt = SWEEP_AT;

  function hashOf(shape: string): string {
    const known = hashes.get(shape);
    if (known !== undefined) {
      return known;
    }
    const hash = createHash("md5").update(shape).digest("hex");
    if (hashes.size < SWEEP_AT) {
      hashes.set(shape, hash);
    }
    return hash;
  }

  function sweep(nowMs: number): void {
    for (const [key, { resetAtMs }] of buckets) {
      if (resetAtMs <= nowMs) {
        buckets.delete(key);
      }
    }
    sweepAt = Math.max(SWEEP_AT, 2 * buckets.size);
  }

  return {
    get size() {
      return buckets.size;
    },
    take(method, path, nowMs) {
      const { shape, major } = shapeOf(method, path);
      const all = rules();
      const { limit, windowMs } = all[shape] ?? all["*"] ?? { limit: 1, windowMs: 1000 };
      const key = `${shape} ${major}`;
      let bucket = buckets.get(key);
      if (bucket === undefined) {
        if (buckets.size >= sweepAt) {
          sweep(nowMs);
        }
        bucket = { remaining: limit, resetAtMs: nowMs + windowMs };
        buckets.set(key, bucket);
      } else if (bucket.resetAtMs <= nowMs) {
        bucket.remaining = limit;
        bucket.resetAtMs = nowMs + windowMs;
      }
      const isExhausted = bucket.remaining <= 0;
      bucket.remaining = Math.max(0, bucket.remaining - 1);
      return {
        hash: hashOf(shape),
        limit,
        remaining: bucket.remaining,
        resetAfterMs: bucket.resetAtMs - nowMs,
        isExhausted,
      };
    },
    clear: () => buckets.clear(),
  };
}

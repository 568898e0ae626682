// The bucket sizes of routes. Discord publishes none of them and may change them at any time, so a bot must read the
// headers. These are similar to what its headers have shown to others.

export interface BucketRule {
  readonly limit: number;
  readonly windowMs: number;
}

/** By method and shape of a path, e.g. `POST /channels/:id/messages`; `*` is for all others. */
export type BucketRules = Readonly<Record<string, BucketRule>>;

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

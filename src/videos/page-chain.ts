// Lists of the service are read forward from cursor to cursor, and a cursor may be longer than a button remembers.
// Here pages have numbers. The cursors on the way are kept for a while; after a restart the way is walked again.
import { LRUCache } from "lru-cache";
import type { Page } from "./client/read-values.ts";
import type { Clock } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";

const KEPT_MS = 10 * 60_000;
const LISTS_KEPT = 500;
/** Nobody presses so often; an id that says so is forged. */
const LAST_PAGE = 40;

export function createPageChain(clock: Clock) {
  const chains = new LRUCache<string, (string | undefined)[]>({
    max: LISTS_KEPT,
    ttl: KEPT_MS,
    perf: clock,
    ttlResolution: 0,
  });

  /** Walks on from what is known of the way. */
  async function walk<P extends Page<unknown>>(
    key: string,
    { cursors, wanted }: { readonly cursors: (string | undefined)[]; readonly wanted: number },
    fetch: (after: string | undefined) => Promise<P>,
  ): Promise<P> {
    let at = Math.min(wanted, cursors.length - 1);
    let page = await fetch(cursors[at]);
    while (at < wanted && page.after !== undefined) {
      at += 1;
      cursors[at] = page.after;
      page = await fetch(page.after);
    }
    chains.set(
      key,
      page.after === undefined ? cursors.slice(0, at + 1) : [...cursors.slice(0, at + 1), page.after],
    );
    const isPastEnd = at < wanted;
    return {
      ...page,
      ...(isPastEnd && { items: [] }),
      after: isPastEnd || at === LAST_PAGE ? undefined : page.after,
    };
  }

  return {
    /** One page, counted from 0, of the list called `key`; an empty one past the end. Throws what `fetch` throws. */
    async page<P extends Page<unknown>>(
      key: string,
      number: number,
      fetch: (after: string | undefined) => Promise<P>,
    ): Promise<P> {
      const wanted = Math.min(number, LAST_PAGE);
      // At the first page the list may have grown: the way begins anew.
      const kept = wanted === 0 ? undefined : chains.get(key);
      if (kept === undefined) {
        return walk(key, { cursors: [undefined], wanted }, fetch);
      }
      try {
        return await walk(key, { cursors: [...kept], wanted }, fetch);
      } catch (error) {
        // What a cursor pointed to may be gone.
        if (error instanceof ServiceError && error.kind === "rejected") {
          return walk(key, { cursors: [undefined], wanted }, fetch);
        }
        throw error;
      }
    },
  };
}

export type PageChain = ReturnType<typeof createPageChain>;

/** The next page's name, where there is one. */
export function nextPage(number: number, after: string | undefined): string | undefined {
  return after === undefined ? undefined : String(number + 1);
}

/** Reads a page's name back; the first for anything else. */
export function parsePage(after: string | undefined): number {
  return after !== undefined && /^\d{1,3}$/.test(after) ? Number(after) : 0;
}

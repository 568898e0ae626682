// Lists of the service are read forward from cursor to cursor, and a cursor may be longer than a button remembers.
// Here pages have numbers. The cursors on the way are kept for a while; after a restart the way is walked again.
import { LRUCache } from "lru-cache";
import type { Page } from "./client/read-values.ts";
import type { Clock } from "../core/clock.ts";

const KEPT_MS = 10 * 60_000;
const LISTS_KEPT = 500;
/** Nobody presses so often; an id that says so is forged. */
const LAST_PAGE = 40;

export function createPageChain(clock: Clock) {
  const chains = new LRUCache<string, readonly (string | undefined)[]>({
    max: LISTS_KEPT,
    ttl: KEPT_MS,
    perf: clock,
    ttlResolution: 0,
  });

  /** Gives an empty page past the end. `name`: the `after` of the page before; the first page for anything else. */
  return async function readPage<P extends Page<unknown>>(
    key: string,
    name: string = "",
    fetch: (after: string | undefined) => Promise<P>,
  ): Promise<P> {
    const wanted = /^\d{1,3}$/.test(name) ? Math.min(Number(name), LAST_PAGE) : 0;
    // At the first page the list may have grown: the way begins anew.
    const cursors = [...((wanted > 0 && chains.get(key)) || [undefined])].slice(0, wanted + 1);
    let page = await fetch(cursors.at(-1));
    while (page.after !== undefined && cursors.length <= wanted) {
      cursors.push(page.after);
      page = await fetch(page.after);
    }
    chains.set(key, page.after === undefined ? cursors : [...cursors, page.after]);
    if (cursors.length <= wanted) {
      return { ...page, items: [], after: undefined };
    }
    return { ...page, after: page.after && wanted < LAST_PAGE ? String(wanted + 1) : undefined };
  };
}

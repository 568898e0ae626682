// Lists in pages. Like the real service's, the link to the next page contains the token.
import type { Context } from "hono";
import type { VideoEnv } from "./context.ts";
import { wrongParameter } from "./graph-error.ts";

const DEFAULT_LIMIT = 25;
const LARGEST_LIMIT = 100;

/** An object with `data` and `paging`. Throws a GraphError for an invalid limit or an unknown cursor. */
export function formatPage<T>(
  request: Context<VideoEnv>,
  items: readonly T[],
  idOf: (item: T) => string,
  formatItem: (item: T) => object,
): object {
  const url = new URL(request.req.url);
  const limitText = url.searchParams.get("limit") ?? String(DEFAULT_LIMIT);
  if (!/^\d{1,6}$/.test(limitText)) {
    throw wrongParameter("limit must be a whole number");
  }
  const limit = Math.min(LARGEST_LIMIT, Number(limitText));
  const after = url.searchParams.get("after");
  const start = after === null ? 0 : items.findIndex((item) => cursorOf(idOf(item)) === after) + 1;
  if (after !== null && start === 0) {
    throw wrongParameter("The After Cursor specified exceeds the max limit supported by this endpoint");
  }
  const shown = items.slice(start, start + limit);
  const [first, last] = [shown[0], shown.at(-1)];
  if (first === undefined || last === undefined) {
    return { data: [] };
  }
  const cursors = { before: cursorOf(idOf(first)), after: cursorOf(idOf(last)) };
  const isLast = start + limit >= items.length;
  return {
    data: shown.map(formatItem),
    paging: {
      cursors,
      ...(!isLast && { next: nextUrl(url, cursors.after, request.get("call").caller.value) }),
    },
  };
}

function nextUrl(url: URL, after: string, token: string): string {
  const next = new URL(url);
  next.searchParams.set("after", after);
  next.searchParams.set("access_token", token);
  next.searchParams.delete("appsecret_proof");
  return next.href;
}

function cursorOf(id: string): string {
  return Buffer.from(id).toString("base64url");
}

// Refuses requests that a stranger's web page could make through a name of its own that leads to this machine.
import type { MiddlewareHandler } from "hono";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Lets a request pass only if its `Host` and, where it has one, its `Origin` are loopback; otherwise 403. */
export const loopbackOnly: MiddlewareHandler = async (context, next) => {
  const origin = context.req.header("origin");
  const isAllowed =
    isLoopback(`http://${context.req.header("host") ?? ""}`) && (origin === undefined || isLoopback(origin));
  if (!isAllowed) {
    return context.json({ error: "The sandbox answers on loopback only." }, 403);
  }
  await next();
  return undefined;
};

function isLoopback(url: string): boolean {
  return URL.canParse(url) && LOOPBACK.has(new URL(url).hostname);
}

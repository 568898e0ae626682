// Guards against DNS rebinding: a stranger's web page could otherwise send requests here through its own host name, if that
// name resolves to this machine.
import type { MiddlewareHandler } from "hono";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Answers 403 unless the `Host` of the request and, if it has one, its `Origin` are loopback addresses. */
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

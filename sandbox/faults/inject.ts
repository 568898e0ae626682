import type { IncomingMessage } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, Next } from "hono";
import type { Fault, FaultAnswer, ServerEnv, FaultKind } from "./faults.ts";

export interface Injection<Kind extends string> {
  readonly fault: Fault<Kind>;
  /** Functions that end the fault's delays. */
  readonly releases: Set<() => void>;
  readonly answer: (kind: FaultKind | Kind, retryAfterMs: number) => FaultAnswer | undefined;
}

/** In real milliseconds. */
const DEFAULT_DELAY_MS = 50;
const DEFAULT_RETRY_AFTER_MS = 20;

/** Answers the request, lets `next` apply it, or does both or neither, depending on the fault. */
export async function injectFault<Kind extends string>(
  { fault, releases, answer }: Injection<Kind>,
  context: Context<ServerEnv>,
  next: Next,
): Promise<Response | undefined> {
  const { incoming, outgoing } = context.env;
  const answerOfFault = () => answer(fault.do, fault.retryAfterMs ?? DEFAULT_RETRY_AFTER_MS);
  const apply = async () => {
    await next();
    const { status, headers } = context.res;
    const body = new Uint8Array(await context.res.arrayBuffer());
    return { status, headers: Object.fromEntries(headers), body };
  };
  /** If the client has given up in the meantime, its body can no longer be read. */
  const applyUnlessGone = async () => {
    if (incoming.socket.destroyed) {
      return RESPONSE_ALREADY_SENT;
    }
    await next();
    return undefined;
  };
  const replaceBy = (response: Response) => {
    // Hono would merge the old answer's headers into the new one's.
    context.res = undefined;
    context.res = response;
    return undefined;
  };
  const drop = () => {
    incoming.socket.resetAndDestroy();
    return RESPONSE_ALREADY_SENT;
  };

  switch (fault.do) {
    case "500-after": {
      const answered = await apply();
      return replaceBy(toResponse(answerOfFault() ?? answered));
    }
    case "drop":
      return drop();
    case "drop-after":
      await apply();
      return replaceBy(drop());
    case "hang":
      await untilReleased(releases);
      return applyUnlessGone();
    case "hang-after": {
      const answered = await apply();
      await untilReleased(releases);
      return replaceBy(toResponse(answered));
    }
    case "slow":
      await untilReleased(releases, fault.delayMs ?? DEFAULT_DELAY_MS);
      return applyUnlessGone();
    case "malformed": {
      const { status } = await apply();
      const headers = { "content-type": "application/json" };
      return replaceBy(toResponse({ status, headers, body: '{"half": tru' }));
    }
    case "truncated": {
      const { status, headers, body } = await apply();
      if (body.length === 0) {
        // An answer without a body is lost completely.
        outgoing.destroy();
      } else {
        outgoing.writeHead(status, { ...headers, "content-length": body.length });
        outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
      }
      return replaceBy(RESPONSE_ALREADY_SENT);
    }
    default: {
      const refusal = answerOfFault();
      if (refusal === undefined) {
        return applyUnlessGone();
      }
      await readToEnd(incoming);
      return toResponse(refusal);
    }
  }
}

export function toResponse({ status, headers, body }: FaultAnswer): Response {
  // A 204 must not have even an empty body.
  return new Response(status === 204 ? null : body, { status, headers: { ...headers } });
}

/** Reads a request's body to the end. An unread one would break a keep-alive connection, which is a different fault. */
export async function readToEnd(request: IncomingMessage): Promise<void> {
  await new Promise((resolve) => {
    // If the client leaves, the request closes without an end.
    request.once("end", resolve).once("close", resolve).resume();
  });
}

/** Settles when the fault is released, or after this many real milliseconds. */
function untilReleased(releases: Set<() => void>, withinMs?: number): Promise<void> {
  return new Promise((resolve) => {
    const release = () => {
      clearTimeout(timer);
      releases.delete(release);
      resolve();
    };
    const timer = withinMs === undefined ? undefined : setTimeout(release, withinMs);
    releases.add(release);
  });
}

// The bad days of this service beyond those that any server can have, and how it refuses.
import { createFaults } from "../faults/faults.ts";
import type { FaultAnswer, FaultKind, Faults } from "../faults/faults.ts";
import type { FaultHooks } from "../http/stand-in.ts";

/** `429`: too many at once, as other servers say it; `quota`: the plan is used up. `403`: the subscription is not active. */
type RailDataFaultKind =
  | "401"
  | "403"
  /** A page that refuses the caller's User-Agent, and looks like a refused key. */
  | "403-page"
  | "quota"
  | "503";

/** `path` is compared as it is, e.g. `/GetServiceDetails/`. */
export type RailDataFaults = Pick<Faults<RailDataFaultKind>, "add" | "clear">;

export function createRailDataFaults(hooks: FaultHooks): Faults<RailDataFaultKind> {
  return createFaults<RailDataFaultKind>({ ...hooks, answer: answerOf });
}

function answerOf(kind: FaultKind | RailDataFaultKind): FaultAnswer {
  switch (kind) {
    case "401":
      return json(401, fault("Invalid ApiKey", "oauth.v2.InvalidApiKey"));
    case "403":
      return json(403, { error: "the subscription is not active" });
    case "403-page":
      return page(403, "Access Denied");
    case "503":
      return page(503, "Service Temporarily Unavailable");
    case "quota":
      return json(429, fault("Rate limit quota violation", "policies.ratelimit.QuotaViolation"));
    case "429":
    case "429-global":
    case "429-shared":
      // Without a Retry-After, as far as is known.
      return json(429, fault("Spike arrest violation", "policies.ratelimit.SpikeArrestViolation"));
    case "500":
    case "500-after":
    case "drop":
    case "drop-after":
    case "hang":
    case "hang-after":
    case "slow":
    case "malformed":
    case "truncated":
      return json(500, UNABLE);
  }
}

// oxlint-disable-next-line typescript/naming-convention -- the service's own name
export const UNABLE = { Message: "Unable to retrieve the requested data" };

/** As the gateway (Apigee) writes it. */
export function fault(faultstring: string, errorcode: string) {
  return { fault: { faultstring, detail: { errorcode } } };
}

function json(status: number, body: unknown): FaultAnswer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

export function page(status: number, title: string): FaultAnswer {
  const body = `<HTML><HEAD>\n<TITLE>${title}</TITLE>\n</HEAD><BODY>\n<H1>${title}</H1>\n</BODY>\n</HTML>\n`;
  return { status, headers: { "content-type": "text/html" }, body };
}

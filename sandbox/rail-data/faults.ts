// The faults that only this service has, and how it refuses.
import type { FaultAnswer } from "../faults/faults.ts";
import { createServiceFaults, type FaultHooks } from "../faults/service-faults.ts";

export type RailDataFaults = ReturnType<typeof createRailDataFaults>;

/** A path is compared as it is, e.g. `/GetServiceDetails/`. */
export function createRailDataFaults(hooks: FaultHooks) {
  return createServiceFaults(hooks, {
    broken: json(500, UNABLE),
    // Without a Retry-After, as far as is known.
    busy: () => json(429, fault("Spike arrest violation", "policies.ratelimit.SpikeArrestViolation")),
    refusals: {
      "401": json(401, fault("Invalid ApiKey", "oauth.v2.InvalidApiKey")),
      "403": json(403, { error: "the subscription is not active" }),
      /** A page that refuses the caller's User-Agent, and looks like a refused key. */
      "403-page": page(403, "Access Denied"),
      "503": page(503, "Service Temporarily Unavailable"),
      /** The plan is used up. */
      quota: json(429, fault("Rate limit quota violation", "policies.ratelimit.QuotaViolation")),
    },
  });
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

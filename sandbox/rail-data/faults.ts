// The faults that only this service has, and how it refuses.
import { createServiceFaults, jsonAnswer, pageAnswer, type FaultHooks } from "../faults/service-faults.ts";

export type RailDataFaults = ReturnType<typeof createRailDataFaults>;

/** A path is compared as it is, e.g. `/GetServiceDetails/`. */
export function createRailDataFaults(hooks: FaultHooks) {
  return createServiceFaults(hooks, {
    broken: jsonAnswer(500, UNABLE),
    // Without a Retry-After, as far as is known.
    busy: () => jsonAnswer(429, fault("Spike arrest violation", "policies.ratelimit.SpikeArrestViolation")),
    refusals: {
      "401": jsonAnswer(401, fault("Invalid ApiKey", "oauth.v2.InvalidApiKey")),
      "403": jsonAnswer(403, { error: "the subscription is not active" }),
      /** A page that refuses the caller's User-Agent, and looks like a refused key. */
      "403-page": pageAnswer(403, "Access Denied"),
      "503": pageAnswer(503, "Service Temporarily Unavailable"),
      /** The plan is used up. */
      quota: jsonAnswer(429, fault("Rate limit quota violation", "policies.ratelimit.QuotaViolation")),
    },
  });
}

// oxlint-disable-next-line typescript/naming-convention -- the service's own name
export const UNABLE = { Message: "Unable to retrieve the requested data" };

/** As the gateway (Apigee) writes it. */
export function fault(faultstring: string, errorcode: string) {
  return { fault: { faultstring, detail: { errorcode } } };
}

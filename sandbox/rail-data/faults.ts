// The faults that only this service has, and its error answers.
import { createServiceFaults, jsonAnswer, pageAnswer, type FaultHooks } from "../faults/service-faults.ts";

export type RailDataFaults = ReturnType<typeof createRailDataFaults>;

/** Faults match unchanged paths, e.g. `/GetServiceDetails/`. */
export function createRailDataFaults(hooks: FaultHooks) {
  return createServiceFaults(hooks, {
    broken: jsonAnswer(500, UNABLE),
    // As far as is known, the service sends no Retry-After.
    busy: () => jsonAnswer(429, fault("Spike arrest violation", "policies.ratelimit.SpikeArrestViolation")),
    refusals: {
      "401": jsonAnswer(401, fault("Invalid ApiKey", "oauth.v2.InvalidApiKey")),
      "403": jsonAnswer(403, { error: "the subscription is not active" }),
      /** A page that refuses the caller's User-Agent, and looks like a refused key. */
      "403-page": pageAnswer(403, "Access Denied"),
      "503": pageAnswer(503, "Service Temporarily Unavailable"),
      quota: jsonAnswer(429, fault("Rate limit quota violation", "policies.ratelimit.QuotaViolation")),
    },
  });
}

// oxlint-disable-next-line typescript/naming-convention -- the service's own name
export const UNABLE = { Message: "Unable to retrieve the requested data" };

/** An error in the format of the service's gateway, Apigee. */
export function fault(faultstring: string, errorcode: string) {
  return { fault: { faultstring, detail: { errorcode } } };
}

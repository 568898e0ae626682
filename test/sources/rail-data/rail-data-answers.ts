// Answers in the shape of the railway's live boards, which omit absent fields and never contain null.

export type Json = Readonly<Record<string, unknown>>;

export function railService(more: Json = {}): Json {
  return {
    futureCancellation: false,
    futureDelay: false,
    origin: [{ locationName: "Edinburgh", crs: "EDB", assocIsCancelled: false }],
    destination: [{ locationName: "London Kings Cross", crs: "KGX", assocIsCancelled: false }],
    std: "17:31",
    etd: "On time",
    platform: "4",
    operator: "London North Eastern Railway",
    operatorCode: "GR",
    isCircularRoute: false,
    isCancelled: false,
    filterLocationCancelled: false,
    serviceType: "train",
    length: 9,
    detachFront: false,
    isReverseFormation: false,
    serviceID: "1337298YORK____",
    ...more,
  };
}

export function railBoard(trainServices: readonly unknown[], more: Json = {}): Json {
  return {
    trainServices,
    // oxlint-disable-next-line typescript/naming-convention -- the service's own names
    Xmlns: { Count: 8 },
    generatedAt: "2026-03-04T17:20:39.6047546+00:00",
    locationName: "York",
    crs: "YRK",
    filterType: "to",
    platformAvailable: true,
    areServicesAvailable: true,
    ...more,
  };
}

export function railPoint(name: string, crs: string, st: string, more: Json = { et: "On time" }): Json {
  return {
    locationName: name,
    crs,
    st,
    isCancelled: false,
    length: 0,
    detachFront: false,
    affectedByDiversion: false,
    rerouteDelay: 0,
    ...more,
  };
}

export function railPoints(...callingPoint: readonly Json[]): Json {
  return { callingPoint, serviceType: "train", serviceChangeRequired: false, assocIsCancelled: false };
}

/** A train from Edinburgh to London at York, as Service Details describes it. */
export function railDetails(more: Json = {}): Json {
  return {
    previousCallingPoints: [
      railPoints(
        railPoint("Edinburgh", "EDB", "15:00", { at: "15:04" }),
        // The documentation allows only one of the two; if both come, the train has been there.
        railPoint("Darlington", "DAR", "17:02", { at: "On time", et: "17:09" }),
      ),
    ],
    subsequentCallingPoints: [
      railPoints(
        railPoint("Doncaster", "DON", "17:54"),
        railPoint("London Kings Cross", "KGX", "19:31", { et: "19:40" }),
      ),
    ],
    generatedAt: "2026-03-04T17:20:39.615469+00:00",
    serviceType: "train",
    locationName: "York",
    crs: "YRK",
    operator: "London North Eastern Railway",
    operatorCode: "GR",
    isCancelled: false,
    length: 9,
    detachFront: false,
    isReverseFormation: false,
    platform: "4",
    sta: "17:29",
    eta: "17:30",
    std: "17:31",
    etd: "17:34",
    ...more,
  };
}

export const INVALID_KEY = {
  fault: { faultstring: "Invalid ApiKey", detail: { errorcode: "oauth.v2.InvalidApiKey" } },
};
// oxlint-disable-next-line typescript/naming-convention -- the service's own name
export const NO_DETAILS = { Message: "Unable to retrieve the requested data" };

/** The body of a refusal, as the gateway (Apigee) writes it; never captured from this host. */
export function gatewayFault(errorcode: string): Json {
  return { fault: { faultstring: "refused", detail: { errorcode } } };
}

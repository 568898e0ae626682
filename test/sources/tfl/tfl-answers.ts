// Answers in the shape of TfL's Unified API, according to its Swagger and captured answers.

/** A prediction of a train at Oxford Circus, with overrides. */
export function prediction(more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    $type: "Tfl.Api.Presentation.Entities.Prediction, Tfl.Api.Presentation.Entities",
    id: "352100929",
    operationType: 1,
    vehicleId: "003",
    naptanId: "940GZZLUOXC",
    stationName: "Oxford Circus Underground Station",
    lineId: "victoria",
    lineName: "Victoria",
    platformName: "Northbound - Platform 5",
    direction: "inbound",
    bearing: "",
    destinationNaptanId: "940GZZLUWWL",
    destinationName: "Walthamstow Central Underground Station",
    timestamp: "2026-11-18T17:19:48.0376032Z",
    timeToStation: 192,
    currentLocation: "Left Pimlico",
    towards: "Walthamstow Central",
    expectedArrival: "2026-11-18T17:23:00Z",
    timeToLive: "2026-11-18T17:23:00Z",
    modeName: "tube",
    timing: {
      countdownServerAdjustment: "00:00:00",
      source: "0001-01-01T00:00:00",
      insert: "0001-01-01T00:00:00Z",
      read: "2026-11-18T17:19:50.32Z",
      sent: "2026-11-18T17:19:48Z",
      received: "0001-01-01T00:00:00",
    },
    ...more,
  };
}

/** A status of a line, such as `status(6, "Severe Delays", { reason: "…" })`. */
export function status(
  statusSeverity: number,
  statusSeverityDescription: string,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    id: 0,
    statusSeverity,
    statusSeverityDescription,
    created: "0001-01-01T00:00:00",
    validityPeriods: [],
    ...more,
  };
}

export function line(
  id: string,
  name: string,
  modeName: string,
  ...lineStatuses: readonly unknown[]
): Readonly<Record<string, unknown>> {
  return {
    $type: "Tfl.Api.Presentation.Entities.Line, Tfl.Api.Presentation.Entities",
    id,
    name,
    modeName,
    disruptions: [],
    created: "2026-11-10T11:01:31.31Z",
    lineStatuses,
    routeSections: [],
    serviceTypes: [{ name: "Regular", uri: `/Line/Route?ids=${name}&serviceTypes=Regular` }],
    crowding: {},
  };
}

/** A refusal; its address repeats the key if the request's had it. */
export function apiError(httpStatusCode: unknown, exceptionType = "EntityNotFoundException") {
  return {
    $type: "Tfl.Api.Presentation.Entities.ApiError, Tfl.Api.Presentation.Entities",
    timestampUtc: "2026-11-18T17:20:00.7206118Z",
    exceptionType,
    httpStatusCode,
    httpStatus: "Words",
    relativeUri: "/StopPoint/940GZZLUXXX/Arrivals?app_key=SECRET-KEY",
    message: "The following stop point is not recognised: 940GZZLUXXX",
  };
}

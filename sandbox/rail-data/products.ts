// The products of the Rail Data Marketplace that this stand-in serves: each with its own address and its own key.

export const PRODUCTS = {
  departures: {
    path: "/1010-live-departure-board-dep1_2/LDBWS/api/20220120",
    operation: "GetDepartureBoard",
    key: "sandbox-departures-key-0123456789abcdef",
  },
  arrivals: {
    path: "/1010-live-arrival-board-arr/LDBWS/api/20220120",
    operation: "GetArrivalBoard",
    key: "sandbox-arrivals-key-0123456789abcdef",
  },
  service: {
    path: "/1010-service-details1_2/LDBWS/api/20220120",
    operation: "GetServiceDetails",
    key: "sandbox-service-key-0123456789abcdef",
  },
  disruptions: {
    path: "/1010-disruptions-experience-api-11_0",
    operation: "tocs",
    key: "sandbox-disruptions-key-0123456789abcdef",
  },
} as const;

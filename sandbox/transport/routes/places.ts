// The paths under which places are found: the search, and what is near a point or in a box.
import { Hono } from "hono";
import type { Context } from "hono";
import { answer } from "../answer/answer.ts";
import type { StandInContext, StandInEnv } from "../context.ts";
import { metresBetween } from "../geography/position.ts";
import type { Stop } from "../local/stop.ts";
import { formatPlace } from "../places/place.ts";
import type { Place, PlaceType } from "../places/place.ts";
import { parsePlaceQuery, parsePoint, parseSlice, sliceOf } from "../places/question.ts";
import { searchPlaces } from "../places/search.ts";
import { formatUkDateTime } from "../railway/uk-time.ts";
import { Refusal } from "../refusals.ts";

const SOURCE = "Network Rail, OpenStreetMap, NaPTAN";
const ACKNOWLEDGEMENTS =
  "Contains information of Network Rail Infrastructure Limited. License http://www.networkrail.co.uk/data-feeds/terms-and-conditions/, OpenStreetMap data licensed ODbL http://opendatacommons.org/licenses/odbl/, Contains DfT NaPTAN bus stops data";

/** Below `/v3/uk`. */
export function createPlaces(standIn: StandInContext): Hono<StandInEnv> {
  const routes = new Hono<StandInEnv>();
  const requestTime = () => formatUkDateTime(standIn.clock.now());

  function search(request: Context<StandInEnv>): Response {
    const query = new URL(request.req.url).searchParams;
    const asked = parsePlaceQuery(query, 422);
    const found = asked ? sliceOf(searchPlaces(asked), parseSlice(query, "limit")) : [];
    return answer(standIn, request, {
      request_time: requestTime(),
      source: SOURCE,
      acknowledgements: ACKNOWLEDGEMENTS,
      member: found.map(formatPlace),
    });
  }
  routes.on("GET", ["/places.json", "/places"], search);

  function near(request: Context<StandInEnv>, type: PlaceType, key: "stations" | "stops"): Response {
    const query = new URL(request.req.url).searchParams;
    const point = parsePoint(query, 400);
    if (!point) {
      throw new Refusal(400, "lat and lon are required");
    }
    const found = searchPlaces({ text: undefined, types: [type], near: point, box: undefined });
    const slice = parseSlice(query, "rpp");
    return answer(standIn, request, {
      searchlon: point.longitude,
      searchlat: point.latitude,
      page: slice.page,
      rpp: slice.size,
      total: found.length,
      request_time: requestTime(),
      [key]: sliceOf(found, slice).map((place) => ({
        ...formatNearPlace(place),
        distance: metresBetween(place, point),
      })),
    });
  }
  routes.get("/train/stations/near.json", (request) => near(request, "train_station", "stations"));
  routes.get("/bus/stops/near.json", (request) => near(request, "bus_stop", "stops"));

  return routes;
}

/** The legacy shape: stations as in a search, without type; stops in their parts. */
function formatNearPlace(place: Place): Readonly<Record<string, unknown>> {
  const { station, stop, latitude, longitude } = place;
  if (station) {
    return {
      station_code: station.crs,
      name: station.name,
      tiploc_code: null,
      mode: "train",
      latitude,
      longitude,
    };
  }
  return stop ? formatStop(stop) : { latitude, longitude };
}

function formatStop(stop: Stop): Readonly<Record<string, unknown>> {
  return {
    atcocode: stop.atcocode,
    smscode: "",
    name: stop.indicator === undefined ? stop.name : `${stop.name} (${stop.indicator})`,
    mode: "bus",
    bearing: stop.bearing ?? "",
    indicator: stop.indicator ?? "",
    locality: stop.locality,
    stop_name: stop.name,
    latitude: stop.latitude,
    longitude: stop.longitude,
  };
}

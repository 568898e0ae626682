// The routes for places: the search, and the stations and bus stops near a point.
import { Hono, type Context } from "hono";
import type { ServerEnv } from "../../faults/faults.ts";
import { answer, type StandInContext } from "../context.ts";
import {
  formatPlace,
  PLACE_TYPES,
  searchPlaces,
  type Place,
  type PlaceQuery,
  type PlaceType,
} from "../map/places.ts";
import { isInGreatBritain, metresBetween, type Position } from "../map/position.ts";
import { locatePostcode } from "../map/postcodes.ts";
import { readQuery, sliceOf, type Query } from "../query.ts";
import { formatUkDateTime } from "../railway/uk-time.ts";
import { formatStop } from "./bus-stops.ts";

const SOURCE = "Network Rail, OpenStreetMap, NaPTAN";
const ACKNOWLEDGEMENTS =
  "Contains information of Network Rail Infrastructure Limited. License http://www.networkrail.co.uk/data-feeds/terms-and-conditions/, OpenStreetMap data licensed ODbL http://opendatacommons.org/licenses/odbl/, Contains DfT NaPTAN bus stops data";
/** The size of a page, and the largest that a legacy path allows. */
const PAGE = 25;
/** The form of a postcode, whether it exists or not. */
const POSTCODE = /^[A-Z]{1,2}\d[A-Z\d]?[\s+]*\d[A-Z]{2}$/i;

export function createPlaces(standIn: StandInContext): Hono<ServerEnv> {
  const routes = new Hono<ServerEnv>();
  const requestTime = () => formatUkDateTime(standIn.clock.now());

  routes.get("/places.json", (request) => {
    const query = readQuery(request.req.url, 422);
    const asked = parsePlaceQuery(query);
    const slice = query.slice("limit", PAGE);
    return answer(standIn, request, {
      request_time: requestTime(),
      source: SOURCE,
      acknowledgements: ACKNOWLEDGEMENTS,
      member: asked ? sliceOf(searchPlaces(asked), slice).map(formatPlace) : [],
    });
  });

  function near(request: Context<ServerEnv>, type: PlaceType, key: "stations" | "stops"): Response {
    const query = readQuery(request.req.url, 400);
    const point = parsePoint(query);
    if (!point) {
      throw query.refuse("lat and lon are required");
    }
    const found = searchPlaces({ types: [type], near: point });
    const slice = query.slice("rpp", PAGE);
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

/** `undefined` for a postcode that does not exist, which finds nothing. Throws if neither text nor position is given. */
function parsePlaceQuery(query: Query): PlaceQuery | undefined {
  const types = query.choices<PlaceType>("type", PLACE_TYPES);
  const text = query.text("query");
  const point = parsePoint(query);
  if (text === undefined && point === undefined) {
    throw query.refuse("One of query, or lat and lon, is required");
  }
  if (text === undefined || !POSTCODE.test(text.trim())) {
    return { text, types, near: point };
  }
  // A postcode is a point: the search finds the places near it.
  const near = locatePostcode(text);
  return near && { types, near };
}

function parsePoint(query: Query): Position | undefined {
  if (query.text("lat") === undefined && query.text("lon") === undefined) {
    return undefined;
  }
  const position = { latitude: query.degrees("lat"), longitude: query.degrees("lon") };
  if (!isInGreatBritain(position)) {
    throw query.refuse("The position is outside Great Britain");
  }
  return position;
}

/** A place in the legacy format: stations as in a search but without the type, stops with all their fields. */
function formatNearPlace({ station, stop, name, latitude, longitude }: Place) {
  return {
    ...(station && { station_code: station.crs, name, tiploc_code: null, mode: "train" }),
    ...(stop && { ...formatStop(stop), mode: "bus" }),
    latitude,
    longitude,
  };
}

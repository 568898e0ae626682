// Finds fields in the service's answers: at the paths that the catalogue gives, or at those that most services use.
// Nothing here throws, whatever the JSON.
import { z } from "zod";

export type Fields = Readonly<Record<string, unknown>>;

/** Names and indexes, e.g. `images[0].url`. */
const PATH = /^(?:[\w-]+|\[\d+\])(?:\.[\w-]+|\[\d+\])*$/;
const TEMPLATE = /^(?:https:\/\/[\w.:-]+)?\/[^\s?#]*\{id\}\S*$/;

const path = z
  .string()
  .max(200)
  .regex(PATH, "must be the path of a field in the answer, for example images[0].url");
const address = z
  .string()
  .max(200)
  .refine(
    (text) => PATH.test(text) || TEMPLATE.test(text),
    "must be the path of a field that holds an address, for example urls.get, or an address with {id} in it, for example /jobs/{id}",
  );

/** The paths that the catalogue may give. For all others, the bot tries {@link USUAL}. */
export const answerPlacesSchema = z.strictObject({
  /** The result: a URL, a data URI or base64. */
  picture: path.optional(),
  job: path.optional(),
  /** The address to poll for a job, that of its result if it is a different one, and the one that cancels the job. */
  poll: address.optional(),
  result: address.optional(),
  cancel: address.optional(),
  /** A share or a percentage, and the position in the service's queue. */
  progress: path.optional(),
  position: path.optional(),
  /** A field that is true if the picture was refused for its content. */
  filtered: path.optional(),
  /** Hosts that get the API key, besides the service's own. */
  keyHosts: z
    .array(
      z
        .string()
        .regex(
          /^[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?$/,
          "must be a host, for example queue.example.org",
        ),
    )
    .max(10)
    .optional(),
});

export type AnswerPlaces = z.output<typeof answerPlacesSchema>;
type Place = Exclude<keyof AnswerPlaces, "picture" | "filtered" | "keyHosts">;

const USUAL: Readonly<Record<Place, readonly string[]>> = {
  job: [
    "id",
    "request_id",
    "requestId",
    "task_id",
    "taskId",
    "job_id",
    "jobId",
    "submissionId",
    "filterjob_id",
    "transaction_id",
    "data",
  ],
  poll: ["urls.get", "status_url", "poll_url", "polling_url"],
  result: ["response_url", "result_url"],
  cancel: ["urls.cancel", "cancel_url"],
  progress: ["percentage", "percent", "progress"],
  position: ["queue_position", "waitNumber", "position"],
};

/** Fields that may wrap the actual answer, e.g. `{"data":{"url":"…"}}`. */
const WRAPPERS = ["data", "result", "response", "output", "image", "prediction"] as const;
/** No known service nests deeper; a hostile answer might. */
const DEEPEST_WRAPPER = 3;

/** The answer and the objects that it wraps, outermost first. Each may contain a status, an error or an id. */
export function listLayers(body: unknown, depth = 0): readonly Fields[] {
  return isFields(body) && depth <= DEEPEST_WRAPPER
    ? [body, ...WRAPPERS.flatMap((key) => listLayers(body[key], depth + 1))]
    : [];
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function valueAt(body: unknown, place: string): unknown {
  let value = body;
  for (const key of place.split(/[.[\]]+/).filter(Boolean)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) {
      return undefined;
    }
    // The condition above has checked this.
    value = (value as Fields)[key];
  }
  return value;
}

export function readPlace<T>(
  body: unknown,
  place: Place,
  places: AnswerPlaces,
  read: (value: unknown, at: string) => T | undefined,
): T | undefined {
  const named = places[place];
  const bodies = named === undefined ? listLayers(body) : [body];
  for (const inside of bodies) {
    for (const at of named === undefined ? USUAL[place] : [named]) {
      const found = read(valueAt(inside, at), at);
      if (found !== undefined) {
        return found;
      }
    }
  }
  return undefined;
}

/** Signed links have several hundred characters. */
const LONGEST_LINK = 4096;

/** A URL, or a path on the service's own host; `undefined` for any other text. */
export function readLink(value: unknown, baseUrl: URL): URL | undefined {
  if (typeof value !== "string" || value.length > LONGEST_LINK || /\s/.test(value)) {
    return undefined;
  }
  const isLink =
    /^(?:https?:\/)?\//i.test(value) ||
    /^[\w.~%-]+(?:\/[\w.~%-]+)*\.(?:png|jpe?g|webp|gif|avif)$/i.test(value);
  return isLink ? (URL.parse(value, below(baseUrl, "/")) ?? undefined) : undefined;
}

export function below(baseUrl: URL, relative: string): URL {
  return new URL(`${baseUrl.pathname.replace(/\/$/, "")}${relative}`, baseUrl);
}

/** A URL from the answer, or one that the catalogue's template makes from the job's id. */
export function readAddress(
  body: unknown,
  place: "poll" | "result" | "cancel",
  {
    places,
    baseUrl,
    id,
  }: { readonly places: AnswerPlaces; readonly baseUrl: URL; readonly id: string | undefined },
): URL | undefined {
  const named = places[place];
  if (named === undefined || PATH.test(named)) {
    return readPlace(body, place, places, (value) => readLink(value, baseUrl));
  }
  const filled = id === undefined ? undefined : named.replaceAll("{id}", encodeURIComponent(id));
  return filled?.startsWith("/") ? below(baseUrl, filled) : readLink(filled, baseUrl);
}

/** A number, or a text that contains one, with or without a per cent sign. */
export function readNumber(value: unknown): number | undefined {
  const text = typeof value === "number" || typeof value === "string" ? String(value) : "";
  return /^\s*-?\d+(?:\.\d+)?\s*%?\s*$/.test(text) ? Number.parseFloat(text) : undefined;
}

/** Enough to recognise the answer's shape in the log. */
const MAX_KEYS = 12;

/** Names an answer's fields for logs, never their values. A key that is not a plain word may be data, so it is `?`. */
export function describeKeys(body: unknown): string {
  if (!isFields(body)) {
    return Array.isArray(body) ? "a list" : `a ${body === null ? "null" : typeof body}`;
  }
  const keys = listLayers(body).flatMap((layer, index) =>
    Object.keys(layer).map(
      (key) => (/^[A-Za-z_][\w-]{0,39}$/.test(key) ? key : "?") + (index > 0 ? "*" : ""),
    ),
  );
  const more = keys.length > MAX_KEYS ? ", …" : "";
  return keys.length === 0 ? "no fields" : `the fields ${keys.slice(0, MAX_KEYS).join(", ")}${more}`;
}

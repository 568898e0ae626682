// Reads an answer with a 2xx status in the many shapes that services use: a picture, a link, a job, or a failure.
import { z } from "zod";
import { ServiceError, type ServiceErrorKind } from "../../core/errors.ts";
import type { HttpAnswer } from "../../core/http.ts";
import { parseJsonAnswer } from "../../core/json.ts";
import { sniffPicture } from "../../core/picture-type.ts";
import {
  type AnswerPlaces,
  type Fields,
  describeKeys,
  isFields,
  listLayers,
  readAddress,
  readLink,
  readNumber,
  readPlace,
  valueAt,
} from "./answer-places.ts";
import { STYLE, isAboutPicture, kindOf, listTexts, quote } from "./refusal.ts";

export type FoundPicture =
  | { readonly kind: "picture"; readonly bytes: Uint8Array }
  | { readonly kind: "link"; readonly url: URL };

/** An answer that is neither a picture nor a failure. */
export interface UnfinishedAnswer {
  readonly kind: "unfinished";
  /** Whether the work is done, so that the result must be elsewhere. */
  readonly isDone: boolean;
  /** The URL to poll. If `undefined`, the job cannot be followed, because no path is guessed. */
  readonly pollUrl: URL | undefined;
  /** The URL of the future result, if it differs from `pollUrl`. */
  readonly resultUrl: URL | undefined;
  readonly cancelUrl: URL | undefined;
  /** `share` is 0 to 1; `position` is the place in the service's queue. */
  readonly progress: { readonly share: number | undefined; readonly position: number | undefined };
  /** The error message that says what is missing: it names the answer's fields, without values. */
  readonly problem: string;
}

export type StyleAnswer = FoundPicture | UnfinishedAnswer;

/** Throws a ServiceError `unexpected-answer` if it is neither picture nor JSON, or the kind of a stated failure. */
export function readStyleAnswer(
  answer: HttpAnswer,
  { baseUrl, places = {} }: { readonly baseUrl: URL; readonly places?: AnswerPlaces | undefined },
): StyleAnswer {
  const { bytes, headers } = answer;
  if (sniffPicture(bytes) !== undefined) {
    // A refused result may arrive as a blurred picture; only a header says so.
    if (isBad(readStage(headers["finish-reason"]))) {
      throw failureOf("refused", []);
    }
    return { kind: "picture", bytes };
  }
  // A job may be accepted without a body, with its address in a header.
  const isBare = answer.status === 202 && bytes.byteLength === 0;
  const body = isBare ? {} : parseJsonAnswer(STYLE, answer, z.unknown());
  const layers = listLayers(body);
  const isFiltered = places.filtered !== undefined && isYes(valueAt(body, places.filtered));
  const failure = isFiltered ? failureOf("refused", layers) : findFailure(layers);
  if (failure !== undefined) {
    throw failure;
  }
  const stages = new Set(layers.flatMap(readStages));
  const isRunning = stages.has("running");
  const { found, withheld } = findPicture(body, { baseUrl, isRunning, place: places.picture });
  if (found !== undefined) {
    return found;
  }
  if (withheld !== undefined) {
    throw failureOf(withheld, layers);
  }
  const id = readPlace(body, "job", places, readId);
  const where = { places, baseUrl, id };
  const resultUrl = readAddress(body, "result", where);
  const pollUrl = readAddress(body, "poll", where) ?? readLink(headers["location"], baseUrl) ?? resultUrl;
  const isLost = (isRunning || id !== undefined) && pollUrl === undefined;
  return {
    kind: "unfinished",
    isDone: !isRunning && stages.has("done"),
    pollUrl,
    resultUrl: resultUrl?.href === pollUrl?.href ? undefined : resultUrl,
    cancelUrl: readAddress(body, "cancel", where),
    progress: {
      share: readPlace(body, "progress", places, readShare),
      position: readPlace(body, "position", places, readPosition),
    },
    problem: `${isLost ? "a job without an address to ask at" : "no picture"} in ${describeKeys(body)}`,
  };
}

function readId(value: unknown): string | undefined {
  return (typeof value === "string" && value.trim() !== "") || typeof value === "number"
    ? String(value)
    : undefined;
}

/** A field named after percent has a percentage. In any other field, numbers up to 1 are shares. */
function readShare(value: unknown, at: string): number | undefined {
  const number = readNumber(value);
  return number === undefined
    ? undefined
    : Math.min(1, Math.max(0, /percent/i.test(at) || number > 1 ? number / 100 : number));
}

function readPosition(value: unknown): number | undefined {
  const position = readNumber(value);
  return position !== undefined && Number.isInteger(position) && position >= 0 ? position : undefined;
}

// Finding the picture: a value is recognised by its content, not by its field's name.

/** Fields in the order to try: bytes before links, and `image` last, because it may contain the original. */
const PICTURE_KEYS =
  "b64_json base64 result_b64 imageBase64 output_url result_url resultUrl url image_url imageUrl sample output outputs result generated artifacts images data response image".split(
    " ",
  );
const DEEPEST = 6;
const MAX_ENTRIES = 16;

/** While the job is running, `result_url` does not have the picture yet. */
function findPicture(
  body: unknown,
  {
    baseUrl,
    isRunning,
    place,
  }: { readonly baseUrl: URL; readonly isRunning: boolean; readonly place: string | undefined },
) {
  /** Why an entry's picture was skipped, e.g. `refused` for a filtered entry of a list. */
  let withheld: BadStage | undefined;
  const found = search(place === undefined ? body : valueAt(body, place), 0);
  return { found, withheld };

  function search(value: unknown, depth: number): FoundPicture | undefined {
    if (typeof value === "string") {
      return readPicture(value, baseUrl);
    }
    const bad = isFields(value) ? readStages(value).find(isBad) : undefined;
    withheld ??= bad;
    for (const [key, inside] of depth === DEEPEST || bad ? [] : listInside(value)) {
      const picture = search(inside, depth + 1);
      if (picture && !(isRunning && key === "result_url" && picture.kind === "link")) {
        return picture;
      }
    }
    return undefined;
  }
}

function listInside(value: unknown): readonly (readonly [string, unknown])[] {
  return Array.isArray(value)
    ? value.slice(0, MAX_ENTRIES).map((entry: unknown) => ["", entry])
    : isFields(value)
      ? PICTURE_KEYS.map((key) => [key, value[key]])
      : [];
}

/** The characters to check before a whole text is decoded: a picture's first bytes and a line break fit. */
const BASE64_HEAD = 256;

/** Tries base64 first and checks the head of the text, because a JPEG begins with "/9j/", as a path may. */
function readPicture(text: string, baseUrl: URL): FoundPicture | undefined {
  const [header = ""] = /^data:[^,]{0,200};base64,/i.exec(text) ?? [];
  const head = text.slice(header.length, header.length + BASE64_HEAD);
  if (/^[\w+/=\s-]+$/.test(head) && sniffPicture(Buffer.from(head, "base64")) !== undefined) {
    return { kind: "picture", bytes: Buffer.from(text.slice(header.length), "base64") };
  }
  const url = readLink(text, baseUrl);
  return url && { kind: "link", url };
}

/** `refused` means that the picture's content was not allowed. */
type Stage = "done" | "running" | BadStage;
type BadStage = "failed" | "refused";

const STATUS_KEYS = ["status", "state", "finish_reason", "finishReason"] as const;
const FILTERED_KEYS = [
  "filtered",
  "content_filtered",
  "moderated",
  "nsfw_content_detected",
  "has_nsfw_concepts",
] as const;

/** Lower case, without spaces, `_` and `-`. No numbers: 2 is "failed" at one service and "running" at another. */
const WORDS: Readonly<Record<Stage, string>> = {
  done: "succeeded success completed complete finished done ready ok",
  running:
    "starting started queued inqueue new created accepted waiting pending processing inprogress running unknown",
  failed: "failed failure error canceled cancelled aborted expired timeout tasknotfound",
  refused: "rejected moderated requestmoderated contentmoderated filtered contentfilter contentfiltered",
};

const STAGES: ReadonlyMap<string, Stage> = new Map(
  // Object.entries loses the type of the keys.
  (Object.entries(WORDS) as [Stage, string][]).flatMap(([stage, words]) =>
    words.split(" ").map((word) => [word, stage] as const),
  ),
);

function readStage(value: unknown): Stage | undefined {
  return typeof value === "string" ? STAGES.get(value.toLowerCase().replace(/[\s_-]+/g, "")) : undefined;
}

function readStages(fields: Fields): readonly Stage[] {
  const stages = STATUS_KEYS.flatMap((key) => readStage(fields[key]) ?? []);
  return FILTERED_KEYS.some((key) => isYes(fields[key])) ? [...stages, "refused"] : stages;
}

/** Whether a flag is set. Some services send a list with a flag for each picture; the bot asks for one picture. */
function isYes(value: unknown): boolean {
  return value === true || (Array.isArray(value) && value[0] === true);
}

/** Whether there will never be a picture. */
function isBad(stage: Stage | undefined): stage is BadStage {
  return stage === "failed" || stage === "refused";
}

const ERROR_KEYS = ["error", "err", "errors"] as const;
const CODE_KEYS = ["code", "error_code", "statusCode", "status_code"] as const;

/** The failure that an answer states; `undefined` if it states none. Warnings do not count. */
function findFailure(layers: readonly Fields[]): ServiceError | undefined {
  const [top = {}] = layers;
  const stage = layers.flatMap(readStages).find(isBad);
  const isStated =
    stage !== undefined ||
    layers.some((layer) => ERROR_KEYS.some((key) => !isEmpty(layer[key]))) ||
    CODE_KEYS.some((key) => !isGoodCode(top[key])) ||
    isErrorStatus(readNumber(top["status"])) ||
    top["success"] === false;
  return isStated ? failureOf(stage, layers) : undefined;
}

function failureOf(stage: BadStage | undefined, layers: readonly Fields[]): ServiceError {
  const texts = layers.flatMap((layer) => listTexts(layer));
  const kind = stage === "refused" ? "rejected" : kindOfFailure(stage, layers[0] ?? {}, texts.join("\n"));
  return new ServiceError(STYLE, kind, `failed with a good status${quote(texts)}`, { status: 200 });
}

function kindOfFailure(stage: "failed" | undefined, top: Fields, text: string): ServiceErrorKind {
  // Some services put the error status into the body and send 200.
  const code = [...CODE_KEYS, "status"].map((key) => readNumber(top[key])).find(isErrorStatus);
  const kind = kindOf(code ?? 200, text);
  // The service failed and does not mention the picture, so the same picture may succeed next time.
  return stage === "failed" && kind === "rejected" && !isAboutPicture(text) ? "unavailable" : kind;
}

function isErrorStatus(code: number | undefined): boolean {
  return code !== undefined && code >= 400 && code < 600;
}

/** Services send error fields without an error, e.g. `"errors":[]`, `"error":{"code":0,"message":""}`. */
function isEmpty(value: unknown): boolean {
  return isFields(value) ? Object.values(value).every(isBlank) : isBlank(value);
}

function isBlank(value: unknown): boolean {
  const isText = typeof value === "string";
  return !value || (isText && value.trim() === "") || (Array.isArray(value) && value.length === 0);
}

function isGoodCode(value: unknown): boolean {
  const code = readNumber(value);
  return code === undefined
    ? isBlank(value) || ["done", "running"].includes(readStage(value) ?? "")
    : code === 0 || (code >= 200 && code < 300);
}

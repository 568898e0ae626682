// Finds a failure that comes with a good status.
import { ServiceError, type ServiceErrorKind } from "../../core/errors.ts";
import { type Fields, isFields, readNumber } from "./answer-fields.ts";
import { isAboutPicture, kindOf, listTexts, quote, STYLE } from "./refusal.ts";
import { isBad, readStage, readStages, type Stage } from "./status-words.ts";

const ERROR_KEYS = ["error", "err", "errors"] as const;
const CODE_KEYS = ["code", "error_code", "statusCode", "status_code"] as const;

/** The failure that an answer states; `undefined` where it states none. A warning is none. */
export function findFailure(frames: readonly Fields[]): ServiceError | undefined {
  const [top] = frames;
  if (top === undefined) {
    return undefined;
  }
  const stage = frames.flatMap(readStages).find(isBad);
  const isStated =
    stage !== undefined ||
    frames.some((frame) => ERROR_KEYS.some((key) => !isEmpty(frame[key]))) ||
    CODE_KEYS.some((key) => !isGoodCode(top[key])) ||
    (readNumber(top["status"]) ?? 0) >= 400 ||
    top["success"] === false;
  return isStated ? failureOf(stage, frames) : undefined;
}

/** The failure that a status word stands for, with whatever else is said about it. */
export function failureOf(stage: Stage | undefined, frames: readonly Fields[]): ServiceError {
  const texts = frames.flatMap((frame) => listTexts(frame));
  const kind = kindOfFailure(stage, frames[0], texts.join("\n"));
  return new ServiceError(STYLE, kind, `failed with a good status${quote(texts)}`, { status: 200 });
}

function kindOfFailure(stage: Stage | undefined, top: Fields | undefined, text: string): ServiceErrorKind {
  if (stage === "refused") {
    return "rejected";
  }
  // Some services write the status that they do not send.
  const code = [...CODE_KEYS, "status"].map((key) => readNumber(top?.[key]) ?? 0).find(isErrorStatus);
  const kind = kindOf(code ?? 200, text);
  // Something broke there, without a word about the picture: the same one may well go through next time.
  return stage === "failed" && kind === "rejected" && !isAboutPicture(text) ? "unavailable" : kind;
}

function isErrorStatus(code: number): boolean {
  return code >= 400 && code < 600;
}

/** Services write out what did not happen, e.g. `"error":null`, `"errors":[]`, `"error":{"code":0,"message":""}`. */
function isEmpty(value: unknown): boolean {
  return isFields(value) ? Object.values(value).every(isBlank) : isBlank(value);
}

function isBlank(value: unknown): boolean {
  return (
    !value ||
    (typeof value === "string" && value.trim() === "") ||
    (Array.isArray(value) && value.length === 0)
  );
}

function isGoodCode(value: unknown): boolean {
  const code = readNumber(value);
  return code === undefined
    ? isBlank(value) || ["done", "running"].includes(readStage(value) ?? "")
    : code === 0 || (code >= 200 && code < 300);
}

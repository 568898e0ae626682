// What can be said of a video before it goes out: whether its texts and its file will do.
import { UserError } from "../../core/errors.ts";

/** In characters; the service names no limits, these are what is known to be taken. */
const TITLE_LIMIT = 255;
const DESCRIPTION_LIMIT = 5_000;

const SMALLEST_BYTES = 1024;
const LARGEST_BYTES = 2 * 1024 ** 3;

/** A title on one line; `undefined` for an empty one. Throws UserError for one that is too long. */
export function checkTitle(text: string | undefined): string | undefined {
  return checkText("title", text?.replace(/[\p{Cc}\s]+/gu, " "), TITLE_LIMIT);
}

/** A description; `undefined` for an empty one. Throws UserError for one that is too long. */
export function checkDescription(text: string | undefined): string | undefined {
  return checkText("description", text?.replace(/\r\n?/g, "\n"), DESCRIPTION_LIMIT);
}

function checkText(what: string, text: string | undefined, limit: number): string | undefined {
  const trimmed = text?.toWellFormed().trim() ?? "";
  if (trimmed.length > limit) {
    throw new UserError(
      `That ${what} has ${COUNT.format(trimmed.length)} characters; up to ${COUNT.format(limit)} fit. Please shorten it.`,
    );
  }
  return trimmed === "" ? undefined : trimmed;
}

/** Throws UserError for a file that the service would refuse for its size. */
export function checkSize(sizeBytes: number): void {
  if (sizeBytes < SMALLEST_BYTES) {
    throw new UserError(
      "That file has less than 1 KB: too little for a video. Please check it and attach it again.",
    );
  }
  if (sizeBytes > LARGEST_BYTES) {
    const size = (Math.ceil((sizeBytes / 1024 ** 3) * 10) / 10).toFixed(1);
    throw new UserError(
      `That video has ${size} GB; the service takes up to 2 GB. Please make it shorter, or smaller.`,
    );
  }
}

const COUNT = new Intl.NumberFormat("en-GB");

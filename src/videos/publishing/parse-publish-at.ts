// Reads when a video is to be published, and refuses what the video service would not take.
import { Temporal } from "temporal-polyfill";
import { UserError } from "../../core/errors.ts";
import { parseMoment } from "../../time/parse-moment.ts";
import { formatDate, formatTime } from "../../time/words.ts";

/** The service takes nothing nearer than ten minutes, nor further than a month for certain. */
export const EARLIEST_MS = 10 * 60_000;
const LATEST_MS = 30 * 86_400_000;

/**
 * Gives the moment in milliseconds since the epoch. A time without a day is the next one. Throws UserError for what
 * cannot be read, is past, nearer than ten minutes, further than 30 days, or left out by a change of clocks.
 */
export function parsePublishAt(
  text: string,
  { timeZone, nowMs }: { readonly timeZone: string; readonly nowMs: number },
): number {
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs);
  const at = parseMoment(text, { zone: timeZone, now });
  const local = at.toZonedDateTimeISO(timeZone);
  const moment = `${formatTime(local.hour, local.minute)} on ${formatDate(local)}`;
  const waitMs = at.epochMilliseconds - nowMs;
  if (waitMs < 0) {
    throw new UserError(`${moment} has passed. Pick a later time, or leave it empty to publish at once.`);
  }
  if (waitMs < EARLIEST_MS) {
    throw new UserError(
      "That is too soon: the service wants at least 10 minutes. Pick a later time, or leave it empty to publish at once.",
    );
  }
  if (waitMs > LATEST_MS) {
    throw new UserError(`${moment} is too far ahead. I can schedule up to 30 days ahead.`);
  }
  return at.epochMilliseconds;
}

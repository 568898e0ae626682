// The service's rules for file names, texts and publication times.
import { GraphError, wrongParameter } from "./graph-error.ts";

const EXTENSION =
  /\.(3g2|3gpp?|asf|avi|dat|divx|dv|f4v|flv|gif|m2ts|m4v|mkv|mod|mov|mp4|mpe|mpe?g4?|mts|nsv|og[mv]|qt|tod|ts|vob|wmv)$/i;
const EARLIEST_MS = 10 * 60_000;
/** The service allows half a year for some posts, but a month for all. */
const LATEST_MS = 30 * 86_400_000;
const TITLE_LIMIT = 255;
const DESCRIPTION_LIMIT = 63_206;

/** Throws a GraphError if the name's extension is not a video's. The service checks the name before the file. */
export function checkFileName(name: string): void {
  if (!EXTENSION.test(name)) {
    throw new GraphError(352, "Unsupported video format", {
      userMessage: "The video file you selected is in a format that we don't support.",
    });
  }
}

/** Throws a GraphError if a text is too long. */
export function checkTexts(title: string | undefined, description: string | undefined): void {
  if ((title ?? "").length > TITLE_LIMIT) {
    throw wrongParameter(`The title has more than ${TITLE_LIMIT} characters`);
  }
  if ((description ?? "").length > DESCRIPTION_LIMIT) {
    throw wrongParameter(`The description has more than ${DESCRIPTION_LIMIT} characters`);
  }
}

/** When a video becomes public. Throws a GraphError for a time that is not allowed. */
export function readPublication(
  fields: Readonly<Record<string, string>>,
  nowMs: number,
): { readonly isForPublic: boolean; readonly publishAtMs: number | undefined } {
  const isForPublic = !["false", "0"].includes(fields["published"] ?? "true");
  const at = fields["scheduled_publish_time"];
  if (at === undefined) {
    return { isForPublic, publishAtMs: undefined };
  }
  if (isForPublic) {
    throw wrongParameter("You cannot specify a scheduled publish time on a published post");
  }
  return { isForPublic, publishAtMs: readScheduledTime(at, nowMs) };
}

/** Parses seconds since the epoch and returns milliseconds. Throws a GraphError if the time is too early or too late. */
export function readScheduledTime(text: string, nowMs: number): number {
  const atMs = Number(text) * 1000;
  if (!(atMs >= nowMs + EARLIEST_MS && atMs <= nowMs + LATEST_MS)) {
    throw wrongParameter(
      "The specified scheduled publish time is invalid.",
      "Choose a time between 10 minutes and 30 days from now.",
    );
  }
  return atMs;
}

// Records the bot's requests, without its token, for assertions and checks in tests.
import type { IncomingMessage, ServerResponse } from "node:http";
import { pushBounded } from "../http/push-bounded.ts";
import type { DiscordError } from "./errors.ts";
import type { DiscordFaultKind } from "./fault-answers.ts";
import type { RefusedBy } from "./limits/answers.ts";
import { API_PREFIX } from "./routes/environment.ts";

export interface RecordedRequest {
  readonly method: string;
  /** Below `/api/v10`, without the query, `@original` decoded. It contains interaction tokens. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Lower-case names; without `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or the parsed `payload_json` of a form; `undefined` without a body. */
  body: unknown;
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** As the bot received it; `undefined` while open or if the answer was lost. */
  status: number | undefined;
  fault: DiscordFaultKind | undefined;
  /** The limit that a 429 refers to. */
  refusedBy: RefusedBy | undefined;
  refusal: DiscordError | undefined;
  /** Whether its nonce was used before, so that it created no second message. */
  isRepeat: boolean;
  /** On the sandbox's clock. */
  readonly atMs: number;
  /** On the machine's monotonic clock, to count in a sliding second. */
  readonly arrivedMs: number;
}

export type Recorder = ReturnType<typeof createRecorder>;

const KEPT_REQUESTS = 20_000;

/** `onAnswered` gets each request whose answer was sent. */
export function createRecorder(now: () => number, onAnswered: (record: RecordedRequest) => void) {
  const requests: RecordedRequest[] = [];
  const open = new WeakMap<IncomingMessage, RecordedRequest>();
  return {
    requests,
    /** The record of a request that is being answered. */
    of: (request: IncomingMessage) => open.get(request),
    /** Starts the record of a request to the API; `undefined` for any other request. */
    begin(request: IncomingMessage, response: ServerResponse) {
      const url = request.url ?? "";
      if (!url.startsWith(API_PREFIX)) {
        return undefined;
      }
      const [path = "", query = ""] = url.slice(API_PREFIX.length).split("?");
      const record: RecordedRequest = {
        method: request.method ?? "GET",
        path: path.replaceAll("%40", "@"),
        query: query === "" ? {} : Object.fromEntries(new URLSearchParams(query)),
        headers: headersOf(request),
        body: undefined,
        files: [],
        status: undefined,
        fault: undefined,
        refusedBy: undefined,
        refusal: undefined,
        isRepeat: false,
        atMs: now(),
        arrivedMs: performance.now(),
      };
      pushBounded(requests, record, KEPT_REQUESTS);
      open.set(request, record);
      response.once("finish", () => {
        record.status = response.statusCode;
        onAnswered(record);
      });
      return record;
    },
  };
}

function headersOf(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (name !== "authorization") {
      headers[name] = String(value);
    }
  }
  return headers;
}

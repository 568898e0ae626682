// What can be requested over HTTP, and what comes back: types alone.
import type { Readable } from "node:stream";

/** What a request sends: headers that describe it, and its bytes. A stream must come with a `content-length`. */
export interface HttpBodyContent {
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Uint8Array | Readable;
}

/** Opens a body; called once for each attempt, because a stream can be read only once. */
export type HttpBody = () => HttpBodyContent;

export interface HttpRequest {
  readonly service: string;
  /** What is being done, for errors and logs, e.g. `liveBoard`. */
  readonly verb: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** May hold credentials in its query: it is never logged and never part of an error. */
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: HttpBody;
  /** For one attempt, its whole answer included, on the clock. */
  readonly timeoutMs: number;
  /** The largest answer, counted on the wire and again after decompression. */
  readonly maxBytes: number;
  /** How many more attempts a GET may take; default 2. Any other method is sent once. */
  readonly retries?: number;
  /** Called before every attempt, the first one too, e.g. to count it; where it throws, nothing is sent. */
  readonly beforeAttempt?: () => Promise<void>;
  readonly signal?: AbortSignal;
  /** For a URL that the service itself returned: see `url-guard.ts` for what is let through. */
  readonly guard?: { readonly ownOrigin: string };
}

/** What came back. Header names are in lower case; `bytes` are already decompressed. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

export interface Http {
  /**
   * Any status is an answer, redirects too: they are not followed. Throws ServiceError: `unavailable`, `timeout`,
   * `too-large`, `unexpected-answer` (undecodable, or a guarded URL that may not be fetched), `aborted`, and for
   * anything but a GET `outcome-unknown` when it may have been sent and its answer was lost.
   */
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** Closes the connections; what is still under way fails as `aborted`. */
  close(): Promise<void>;
}

/** A request without a limit of time as a whole: large files take as long as they take. Sent once, never again. */
export interface HttpStreamRequest extends Pick<
  HttpRequest,
  "service" | "verb" | "url" | "headers" | "maxBytes" | "signal" | "guard"
> {
  /** How long nothing may move, on the clock. A reader that takes its time does not count. */
  readonly idleMs: number;
}

export interface HttpUpload extends HttpStreamRequest, Required<Pick<HttpRequest, "body">> {
  readonly method: "POST" | "PUT";
}

/** What came back, while it still comes. */
export interface HttpStreamAnswer extends Omit<HttpAnswer, "bytes"> {
  /** To be read to its end or destroyed; fails with the ServiceErrors that {@link HttpStreams.open} throws. */
  readonly body: Readable;
}

/** For what is too large to be held in memory. */
export interface HttpStreams {
  /**
   * GETs something and hands over its body as it comes, as fast as it is read. Any status is an answer. Throws, until
   * and after the answer begins, what `Http.request` throws for a GET; a compressed body is an `unexpected-answer`.
   */
  open(request: HttpStreamRequest): Promise<HttpStreamAnswer>;
  /**
   * Sends a stream of known length, as fast as it is taken, and reads the answer whole. Throws what `Http.request`
   * throws for a write, but `outcome-unknown` only if all of it was sent, then also when it is aborted: before that it
   * cannot have been accepted. What the stream fails with comes out as it is, where it is one of our own errors.
   */
  upload(request: HttpUpload): Promise<HttpAnswer>;
}

// Downloads files that somebody attached on Discord, only from exactly the hosts that the operator named, and without
// following redirects. Pictures are downloaded whole. Videos are streamed from any position, and never held in memory.
import type { Readable } from "node:stream";
import type { Clock } from "./clock.ts";
import { isLoopback } from "./variables.ts";
import { ServiceError, type ServiceErrorKind, UserError, recover } from "./errors.ts";
import { parseRetryAfter, type Http, type HttpAnswer, type HttpStreamAnswer } from "./http.ts";
import { discard } from "./http-attempt.ts";
import { formatSize } from "./text.ts";

export interface FetchableAttachment {
  readonly url: string;
  readonly sizeBytes: number;
}

export interface AttachmentStart {
  /** The beginning of the file, at most 4 KB. */
  readonly firstBytes: Uint8Array;
  /** The size at the CDN; `undefined` if the CDN does not say. */
  readonly sizeBytes: number | undefined;
}

/** A file that can be read from any position, more than once. */
export interface FileSource {
  readonly sizeBytes: number;
  /** Only the extension is used, because a file's name can reveal people and places. */
  readonly fileName: string;
  readonly contentType: string;
  /** Opens a stream from this byte to the end. It fails, now or later, with the source's own errors. */
  open(fromByte: number): Promise<Readable>;
}

export type Attachments = ReturnType<typeof createAttachments>;

const SERVICE = "discord";
const START_BYTES = 4096;
/** The time limit for one attempt to fetch a whole file; 20 MiB in that time are 11 Mbit/s. */
const TIMEOUT_MS = 15_000;
const IDLE_MS = 60_000;
/** The CDN answers 404 once a link has expired; it has also answered 403. */
const EXPIRED_STATUSES: ReadonlySet<number> = new Set([403, 404, 410]);
const RANGE_NOT_SATISFIABLE = 416;
const KINDS: Readonly<Record<number, ServiceErrorKind>> = {
  [RANGE_NOT_SATISFIABLE]: "unexpected-answer",
  429: "rate-limited",
};

/** All methods throw UserError for a link to another host, and ServiceError of `discord` if a download fails. */
export function createAttachments(deps: {
  readonly http: Pick<Http, "open" | "request">;
  readonly hosts: readonly string[];
  readonly clock: Clock;
}) {
  const { http, hosts, clock } = deps;

  function explainStatus({ status, headers }: Pick<HttpAnswer, "status" | "headers">): ServiceError {
    const kind = EXPIRED_STATUSES.has(status) ? "not-found" : (KINDS[status] ?? "unavailable");
    const retryAfterMs = parseRetryAfter(headers["retry-after"], clock.now());
    return new ServiceError(SERVICE, kind, `attachment: status ${status}`, { status, retryAfterMs });
  }

  function check(answer: HttpStreamAnswer): void {
    if (answer.status !== 200 && answer.status !== 206) {
      discard(answer.body);
      throw explainStatus(answer);
    }
  }

  function readAnswer(answer: HttpAnswer): Uint8Array {
    if (EXPIRED_STATUSES.has(answer.status)) {
      throw new UserError("The link to that file has expired. Please attach it again.");
    }
    if (answer.status !== 200) {
      throw explainStatus(answer);
    }
    return answer.bytes;
  }

  return {
    /** Downloads a whole file into memory. Also throws a UserError if it is too large or its link has expired. */
    async fetch(
      { url, sizeBytes }: FetchableAttachment,
      { maxBytes, signal }: { readonly maxBytes: number; readonly signal?: AbortSignal | undefined },
    ): Promise<Uint8Array> {
      const link = checkLink(url, hosts);
      if (sizeBytes > maxBytes) {
        throw tooLarge(maxBytes, sizeBytes);
      }
      const request = { service: SERVICE, verb: "attachment", method: "GET", url: link } as const;
      const limits = { timeoutMs: TIMEOUT_MS, maxBytes };
      const asking = http.request({ ...request, ...limits, signal });
      return recover(asking.then(readAnswer), ["too-large"], () => {
        throw tooLarge(maxBytes);
      });
    },
    /** Reads the beginning of a file. Throws a ServiceError `not-found` if the link has expired. */
    async readStart(url: string): Promise<AttachmentStart> {
      const answer = await http.open({
        service: SERVICE,
        verb: "look at attachment",
        url: checkLink(url, hosts),
        headers: { range: `bytes=0-${START_BYTES - 1}` },
        idleMs: IDLE_MS,
        maxBytes: Number.MAX_SAFE_INTEGER,
      });
      // An empty file has no byte that a range could name.
      if (answer.status === RANGE_NOT_SATISFIABLE) {
        discard(answer.body);
        return { firstBytes: new Uint8Array(), sizeBytes: 0 };
      }
      check(answer);
      return { firstBytes: await readBeginning(answer.body), sizeBytes: wholeSize(answer) };
    },
    /** Readable until the link expires (`not-found`). Throws `unexpected-answer` if the link leads to another file. */
    source(
      { url, sizeBytes, fileName, contentType }: Omit<FileSource, "open"> & { readonly url: string },
      signal?: AbortSignal,
    ): FileSource {
      let tag: string | undefined;
      return {
        sizeBytes,
        fileName,
        contentType,
        async open(fromByte) {
          const answer = await http.open({
            service: SERVICE,
            verb: "attachment",
            url: checkLink(url, hosts),
            headers: fromByte > 0 ? { range: `bytes=${fromByte}-` } : undefined,
            idleMs: IDLE_MS,
            maxBytes: sizeBytes,
            signal,
          });
          check(answer);
          tag = checkSame(answer, { sizeBytes, fromByte, before: tag });
          return answer.body;
        },
      };
    },
  };
}

/** Returns the file's ETag, if the CDN sends one. Throws if the answer is another file or range than was requested. */
function checkSame(
  answer: HttpStreamAnswer,
  asked: { readonly sizeBytes: number; readonly fromByte: number; readonly before: string | undefined },
) {
  const { status, headers, body } = answer;
  const { sizeBytes, fromByte, before } = asked;
  const isOfSize = (wholeSize(answer) ?? sizeBytes) === sizeBytes;
  const isPart = fromByte === 0 || headers["content-range"]?.startsWith(`bytes ${fromByte}-`);
  const tag = headers["etag"] ?? before;
  if (!isOfSize || !isPart || (before !== undefined && tag !== before)) {
    discard(body);
    const message = "attachment: not the file or range that was asked for";
    throw new ServiceError(SERVICE, "unexpected-answer", message, { status });
  }
  return tag;
}

async function readBeginning(body: Readable): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    // No encoding is set on the stream, so each chunk is bytes.
    const part = chunk as Uint8Array;
    chunks.push(part);
    bytes += part.byteLength;
    if (bytes >= START_BYTES) {
      break;
    }
  }
  return Buffer.concat(chunks).subarray(0, START_BYTES);
}

function wholeSize({ status, headers }: HttpStreamAnswer): number | undefined {
  const [, size] =
    status === 206
      ? (/^bytes \d+-\d+\/(\d+)$/.exec(headers["content-range"] ?? "") ?? [])
      : (/^(\d+)$/.exec(headers["content-length"] ?? "") ?? []);
  return size === undefined ? undefined : Number(size);
}

/** Links have been seen to last for a day. A link without an expiry is assumed to last a little less. */
const ASSUMED_LIFE_MS = 23 * 3_600_000;

/** Throws a UserError for other hosts (`URL.host`), and without https, except on this machine (the sandbox's CDN). */
export function checkLink(url: string, hosts: readonly string[]): URL {
  const link = URL.parse(url);
  const isSafe = link?.protocol === "https:" || (link?.protocol === "http:" && isLoopback(link.hostname));
  if (!isSafe || link.username !== "" || link.password !== "" || !hosts.includes(link.host)) {
    throw new UserError(
      "I can only take files that are attached on Discord itself. Please attach the file and try again.",
    );
  }
  return link;
}

/** When a link expires, in milliseconds since the epoch. Its `ex` parameter contains the seconds in hexadecimal. */
export function linkEndsAt(link: URL, nowMs: number): number {
  const ex = link.searchParams.get("ex") ?? "";
  return /^[\da-f]{1,10}$/i.test(ex) ? Number.parseInt(ex, 16) * 1000 : nowMs + ASSUMED_LIFE_MS;
}

function tooLarge(maxBytes: number, sizeBytes?: number): UserError {
  const has =
    sizeBytes === undefined ? "That file is too large" : `That file is ${formatSize(sizeBytes, Math.ceil)}`;
  return new UserError(
    `${has}; I can take up to ${formatSize(maxBytes, Math.floor)}. Please attach a smaller one.`,
  );
}

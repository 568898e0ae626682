// Large files that somebody attached on Discord: read as they are needed, from anywhere in them, and never held.
import type { Readable } from "node:stream";
import { ServiceError, type ServiceErrorKind } from "../../core/errors.ts";
import { parseRetryAfter } from "../../core/http-retry-after.ts";
import type { HttpStreamAnswer, HttpStreams } from "../../core/http-types.ts";
import { openFrom } from "../../core/http-stream-range.ts";
import type { Clock } from "../../core/clock.ts";
import type { FileSource } from "../../core/file-source.ts";
import { checkLink } from "./check-link.ts";

/** A file as Discord announces it. */
export interface LargeAttachment extends Pick<FileSource, "sizeBytes" | "fileName" | "contentType"> {
  readonly url: string;
}

/** What a first look at a file shows. */
export interface AttachmentLook {
  /** Its beginning, a few kilobytes at most. */
  readonly firstBytes: Uint8Array;
  /** As the CDN has it; `undefined` where it does not say. */
  readonly sizeBytes: number | undefined;
}

/**
 * Both throw UserError for a link that leads elsewhere, and ServiceError of `discord`: `not-found` once the link has
 * ended, `unavailable`, `timeout`, `aborted` …
 */
export interface AttachmentSources {
  /** Reads the beginning. */
  look(url: string): Promise<AttachmentLook>;
  /**
   * A source that can be read as long as the link lives and `signal` is not aborted. Once there is another file behind
   * the link than was announced, or than was read before, it is an `unexpected-answer`: half of each is no video.
   */
  source(attachment: LargeAttachment, signal?: AbortSignal): FileSource;
}

const SERVICE = "discord";
const LOOK_BYTES = 4096;
/** How long the CDN may send nothing. */
const IDLE_MS = 60_000;
/** The CDN says 404 once a link's time is over, and has said 403. */
const ENDED_STATUSES: ReadonlySet<number> = new Set([403, 404, 410]);
/** The file is shorter than where it is to be read from. */
const BEYOND_END = 416;
const KINDS: Readonly<Record<number, ServiceErrorKind>> = {
  [BEYOND_END]: "unexpected-answer",
  429: "rate-limited",
};

/** Makes them. `hosts` are `host[:port]` as `URL.host` writes it. */
export function createAttachmentSources({
  http,
  hosts,
  clock,
}: {
  readonly http: HttpStreams;
  readonly hosts: readonly string[];
  readonly clock: Clock;
}): AttachmentSources {
  function check({ status, headers, body }: HttpStreamAnswer): void {
    if (status === 200 || status === 206) {
      return;
    }
    letGo(body);
    const kind = ENDED_STATUSES.has(status) ? "not-found" : (KINDS[status] ?? "unavailable");
    const retryAfterMs = parseRetryAfter(headers["retry-after"], clock.now());
    throw new ServiceError(SERVICE, kind, `attachment: status ${status}`, { status, retryAfterMs });
  }

  return {
    async look(url) {
      const answer = await http.open({
        service: SERVICE,
        verb: "look at attachment",
        url: checkLink(url, hosts),
        headers: { range: `bytes=0-${LOOK_BYTES - 1}` },
        idleMs: IDLE_MS,
        maxBytes: Number.MAX_SAFE_INTEGER,
      });
      // Of an empty file there is no beginning to ask for.
      if (answer.status === BEYOND_END) {
        letGo(answer.body);
        return { firstBytes: new Uint8Array(), sizeBytes: 0 };
      }
      check(answer);
      return { firstBytes: await readBeginning(answer.body), sizeBytes: wholeSize(answer) };
    },
    source({ url, sizeBytes, fileName, contentType }, signal) {
      let tag: string | undefined;
      return {
        sizeBytes,
        fileName,
        contentType,
        async open(fromByte) {
          const request = {
            service: SERVICE,
            verb: "attachment",
            url: checkLink(url, hosts),
            idleMs: IDLE_MS,
            maxBytes: sizeBytes,
            ...(signal && { signal }),
          };
          const answer = await openFrom(http, request, fromByte);
          check(answer);
          tag = checkSame(answer, sizeBytes, tag);
          return answer.body;
        },
      };
    },
  };
}

/** Throws for another file than was announced or than `before` names; gives what the CDN calls this one, if anything. */
function checkSame(answer: HttpStreamAnswer, sizeBytes: number, before: string | undefined) {
  const { status, headers, body } = answer;
  const isOfSize = (wholeSize(answer) ?? sizeBytes) === sizeBytes;
  const tag = headers["etag"] ?? before;
  if (!isOfSize || (before !== undefined && tag !== before)) {
    letGo(body);
    const message = "attachment: another file than was announced";
    throw new ServiceError(SERVICE, "unexpected-answer", message, { status });
  }
  return tag;
}

function letGo(body: Readable): void {
  body.on("error", () => {}).destroy();
}

/** Takes as much as it wants to see, and lets go of the rest. */
async function readBeginning(body: Readable): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    // Nobody has set an encoding: what comes is bytes.
    const part = chunk as Uint8Array;
    chunks.push(part);
    bytes += part.byteLength;
    if (bytes >= LOOK_BYTES) {
      break;
    }
  }
  return Buffer.concat(chunks).subarray(0, LOOK_BYTES);
}

function wholeSize({ status, headers }: HttpStreamAnswer): number | undefined {
  const [, size] =
    status === 206
      ? (/^bytes \d+-\d+\/(\d+)$/.exec(headers["content-range"] ?? "") ?? [])
      : (/^(\d+)$/.exec(headers["content-length"] ?? "") ?? []);
  return size === undefined ? undefined : Number(size);
}

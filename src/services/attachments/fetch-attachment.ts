// Takes what somebody attached on Discord, into memory: pictures, not videos. Only from the hosts that the operator
// named, exactly; a link is never followed anywhere else.
import { ServiceError, UserError } from "../../core/errors.ts";
import type { Http, HttpAnswer } from "../../core/http-types.ts";
import { checkLink } from "./check-link.ts";

/** What must be known of an attachment. */
export interface FetchableAttachment {
  readonly url: string;
  /** As Discord announces it. */
  readonly sizeBytes: number;
}

export interface FetchOptions {
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface AttachmentFetcher {
  /**
   * Fetches an attachment whole. Throws UserError where it is too large, its link has expired or leads elsewhere,
   * ServiceError of `discord` (`unavailable`, `timeout`, `aborted` …) where it cannot be had.
   */
  fetch(attachment: FetchableAttachment, options: FetchOptions): Promise<Uint8Array>;
}

/** For one attempt; 20 MiB in that time are 11 Mbit/s. */
const TIMEOUT_MS = 15_000;
/** The CDN says 404 once a link's time is over, and has said 403. */
const EXPIRED_STATUSES: ReadonlySet<number> = new Set([403, 404, 410]);

/** Builds the fetcher. `hosts` are `host[:port]` as `URL.host` writes it. */
export function createAttachmentFetcher({
  http,
  hosts,
}: {
  readonly http: Http;
  readonly hosts: readonly string[];
}): AttachmentFetcher {
  return {
    async fetch({ url, sizeBytes }, { maxBytes, signal }) {
      const link = checkLink(url, hosts);
      if (sizeBytes > maxBytes) {
        throw tooLarge(maxBytes, sizeBytes);
      }
      const request = { service: "discord", verb: "attachment", method: "GET", url: link } as const;
      try {
        const limits = { timeoutMs: TIMEOUT_MS, maxBytes };
        return readAnswer(await http.request({ ...request, ...limits, ...(signal && { signal }) }));
      } catch (error) {
        throw error instanceof ServiceError && error.kind === "too-large" ? tooLarge(maxBytes) : error;
      }
    },
  };
}

function readAnswer({ status, bytes }: HttpAnswer): Uint8Array {
  if (EXPIRED_STATUSES.has(status)) {
    throw new UserError("The link to that file has expired. Please attach it again.");
  }
  if (status !== 200) {
    throw new ServiceError("discord", "unavailable", `attachment: status ${status}`, { status });
  }
  return bytes;
}

function tooLarge(maxBytes: number, sizeBytes?: number): UserError {
  const has =
    sizeBytes === undefined ? "That file is too large" : `That file has ${megabytes(sizeBytes, Math.ceil)}`;
  return new UserError(
    `${has}; I can take up to ${megabytes(maxBytes, Math.floor)}. Please attach a smaller one.`,
  );
}

/** As Discord counts them, rounded away from the other side of a limit. */
function megabytes(bytes: number, toWhole: (tenths: number) => number): string {
  return `${toWhole((bytes / 1_048_576) * 10) / 10} MB`;
}

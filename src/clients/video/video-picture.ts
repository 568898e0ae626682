// The small picture of a video that the service keeps: it stands on other servers than the service, and needs no token.
import type { Http } from "../../core/http-types.ts";
import { VIDEO } from "./account.ts";
import type { Video } from "./read-video.ts";

/** A picture as it came; nobody has decoded it. */
export interface VideoPicture {
  readonly bytes: Uint8Array;
  /** The end of a file's name. */
  readonly type: "jpg" | "png" | "gif" | "webp";
}

/** Who waits for a video does not wait long for its picture. */
const TIMEOUT_MS = 2_000;
const MAX_BYTES = 2 * 1024 * 1024;

/** Fetches it; `undefined` where there is none to be had: nothing depends on it. */
export async function fetchVideoPicture(
  { http, baseUrl }: { readonly http: Pick<Http, "request">; readonly baseUrl: URL },
  { picture }: Pick<Video, "picture">,
): Promise<VideoPicture | undefined> {
  const url = picture === undefined ? null : URL.parse(picture, baseUrl);
  if (url === null) {
    return undefined;
  }
  const request = {
    service: VIDEO,
    verb: "picture",
    method: "GET",
    url,
    headers: { accept: "image/*" },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    retry: { retries: 0 },
    guard: { ownOrigin: baseUrl.origin },
  } as const;
  return http.request(request).then(
    ({ status, bytes }) => {
      const type = status === 200 ? typeOf(bytes) : undefined;
      return type && { bytes, type };
    },
    () => undefined,
  );
}

/** By the first bytes: what the answer says of itself is not asked. */
function typeOf(bytes: Uint8Array): VideoPicture["type"] | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (start.startsWith("\u00FF\u00D8\u00FF")) {
    return "jpg";
  }
  if (start.startsWith("\u0089PNG\r\n")) {
    return "png";
  }
  if (/^GIF8[79]a/.test(start)) {
    return "gif";
  }
  return /^RIFF.{4}WEBP/s.test(start) ? "webp" : undefined;
}

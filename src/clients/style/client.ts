// The image style service: one operation, whose answer may have any of many shapes.
import { ServiceError } from "../../core/errors.ts";
import { parseRetryAfter } from "../../core/http-retry-after.ts";
import { createMultipart, type FormPart } from "../../core/multipart.ts";
import { createStyleDoor, type StyleDoorDependencies } from "./door.ts";
import { followJob } from "./follow-job.ts";
import { isPicture } from "./picture-bytes.ts";
import { readStyleAnswer } from "./read-answer.ts";
import { STYLE } from "./refusal.ts";

/** A picture on its way to the service. */
export interface StyleRequest {
  readonly image: {
    readonly bytes: Uint8Array;
    /** e.g. `image/jpeg`; also decides the neutral file name. */
    readonly contentType: string;
  };
  /** The service's word for the style. */
  readonly style: string;
  /** Further form fields, by the names that the catalogue gives. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Told when the service has taken it and works on it. `share` 0 to 1 where the service says how far it is. */
  readonly onWorking?: (state: {
    readonly share: number | undefined;
    readonly position: number | undefined;
  }) => void;
}

export interface StyleClient {
  /**
   * Restyles a picture and gives the result's bytes, not yet looked into beyond their first ones. Throws ServiceError
   * of `style`: besides those of Http `rate-limited`, `out-of-credit`, `unauthorised`, `not-permitted`, `rejected` (the
   * picture or its content), `too-large` (with status 413 the picture, else the result), `not-found` (the style),
   * `unexpected-answer`, `timeout` (of a job); never `outcome-unknown`, for there is nothing to look after.
   */
  process(request: StyleRequest): Promise<Uint8Array>;
}

/** Makes a client for one account. */
export function createStyleClient(dependencies: StyleDoorDependencies): StyleClient {
  const { baseUrl, clock } = dependencies;
  const door = createStyleDoor(dependencies);

  return {
    async process(request) {
      const { signal } = request;
      const sent = await door.send(createMultipart(listParts(request)), signal);
      const first = readStyleAnswer(sent, baseUrl);
      const found =
        first.kind === "unfinished"
          ? await followJob(
              { door, baseUrl, clock },
              first,
              parseRetryAfter(sent.headers["retry-after"], clock.now()),
              request,
            )
          : first;
      if (found.kind === "picture") {
        return found.bytes;
      }
      const { bytes } = await door.fetch(found.url, signal);
      if (!isPicture(bytes)) {
        throw new ServiceError(STYLE, "unexpected-answer", "what the result's address holds is no picture");
      }
      return bytes;
    },
  };
}

/** Its own name stays here: file names tell of people and places. */
function listParts({ image, style, parameters = {} }: StyleRequest): readonly FormPart[] {
  const { bytes: content, contentType } = image;
  const extension = contentType.replace(/^image\//, "").replace("jpeg", "jpg");
  return [
    { name: "image", fileName: `picture.${extension}`, contentType, content },
    { name: "style", text: style },
    ...Object.entries(parameters).map(([name, text]) => ({ name, text })),
  ];
}

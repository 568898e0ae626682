// The shapes in which services give a picture back. Bodies are of our own making.

export const ANSWER_SHAPES = [
  /** The body is the picture. */
  "picture",
  "url",
  /** A path on the service's own origin. */
  "path",
  "wrapped-url",
  "list-of-urls",
  "list-of-base64",
  "base64",
  "wrapped-base64",
  "data-uri",
  "list-of-data-uris",
  /** The picture is there although the status says processing. */
  "early",
  /** A prediction with addresses to ask and to cancel at. */
  "job",
  /** A queue whose result has another address. */
  "queue",
  /** 202 and `Location`; then the picture itself. */
  "location",
] as const;

export type AnswerShape = (typeof ANSWER_SHAPES)[number];

/** A picture as it can be handed out. */
export interface Result {
  readonly id: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Where it can be fetched. */
  readonly url: string;
}

/** What is said: bytes as they are, anything else as JSON. */
export interface Said {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Uint8Array | object;
}

const NOTE = { note: "a local filter, not a neural model" };

/** A picture in a shape that needs no job. */
export function sayPicture(shape: Exclude<AnswerShape, "job" | "queue" | "location">, result: Result): Said {
  const { id, bytes, contentType, url } = result;
  if (shape === "picture") {
    return { status: 200, headers: { "content-type": contentType }, body: bytes };
  }
  const base64 = (): string => Buffer.from(bytes).toString("base64");
  const dataUri = (): string => `data:${contentType};base64,${base64()}`;
  const fields = {
    url: () => ({ id, output_url: url }),
    path: () => ({ id, imageUrl: new URL(url).pathname }),
    "wrapped-url": () => ({ status: "success", data: { id, url }, warning: "a warning is no error" }),
    "list-of-urls": () => ({ images: [{ url, content_type: contentType }] }),
    "list-of-base64": () => ({ artifacts: [{ base64: base64(), finishReason: "SUCCESS" }] }),
    base64: () => ({ error_code: 0, error_msg: "", image: base64() }),
    "wrapped-base64": () => ({ data: { result_b64: base64() } }),
    "data-uri": () => ({ id, status: "succeeded", output: dataUri() }),
    "list-of-data-uris": () => ({ id, status: "succeeded", output: [dataUri()] }),
    early: () => ({ id, status: "processing", output: [url] }),
  }[shape];
  return { status: 200, body: { ...fields(), ...NOTE } };
}

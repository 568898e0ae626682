// Reads the form that contains a picture, and records it for tests and for the sandbox's page.
import { FILTERS, type RestyleRequest } from "./filters.ts";
import sharp from "sharp";
import type { Call } from "../http/stand-in.ts";

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: 400 | 401 | 404 | 413 | 415 | 422;
  readonly code: string;

  constructor(status: Refusal["status"], code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The limits that the catalogue states. */
const MAX_BYTES = 8_000_000;
const MAX_SIDE = 2048;

/**
 * Throws a Refusal: 400 for an unreadable form or number, 413, 415 or 422 for the picture, 422 for an unknown style.
 * `onSent` gets what arrived before it is checked. Parameters that are off are ignored, as a service ignores unknown
 * fields.
 */
export async function readRestyleRequest(
  request: Request,
  parameters: "on" | "off",
  onSent: (sent: SentPicture) => void,
): Promise<RestyleRequest> {
  const form = await request.formData().catch(() => {
    throw new Refusal(400, "bad_form", "The form cannot be read");
  });
  const fields = Object.fromEntries(
    [...form].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
  const { style = "", ...others } = fields;
  const file = form.get("image");
  if (file === null || typeof file === "string") {
    throw new Refusal(400, "missing_image", "The field image must contain a file");
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const sent = await describeSent(file, bytes, style, others);
  onSent(sent);
  if (bytes.byteLength > MAX_BYTES) {
    throw new Refusal(413, "too_large", `An image may have ${MAX_BYTES} bytes`);
  }
  if (sent.type === undefined) {
    throw new Refusal(415, "unsupported_media_type", "The file is not a readable image");
  }
  if (Math.max(sent.width ?? 0, sent.height ?? 0) > MAX_SIDE) {
    throw new Refusal(422, "too_many_pixels", `The image's longer side may have ${MAX_SIDE} pixels`);
  }
  checkStyle(style);
  if (parameters === "off") {
    return { bytes, style, strength: 1, mix: undefined };
  }
  const { style2 } = others;
  if (style2 !== undefined) {
    checkStyle(style2);
  }
  return {
    bytes,
    style,
    strength: readShare("strength", others["strength"], 1),
    mix: style2 === undefined ? undefined : { style: style2, share: readShare("mix", others["mix"], 0.5) },
  };
}

function checkStyle(style: string): void {
  if (!Object.hasOwn(FILTERS, style)) {
    throw new Refusal(422, "unknown_style", `Unknown style: use one of ${Object.keys(FILTERS).join(", ")}`);
  }
}

function readShare(name: string, text: string | undefined, fallback: number): number {
  const share = text === undefined ? fallback : Number(text);
  if (!(share >= 0 && share <= 1)) {
    throw new Refusal(400, "bad_parameter", `${name} must be a number from 0 to 1`);
  }
  return share;
}

interface SentPicture {
  readonly style: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** The format by the file's bytes, e.g. `jpeg`. Format and size are `undefined` if the file is not a picture. */
  readonly type: string | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Whether the file has EXIF, XMP, IPTC or comments, which may tell a place, a camera or a name. */
  readonly hasMetadata: boolean;
}

export interface LedgerEntry extends Call {
  readonly hasKey: boolean;
  /** `undefined` if the request contained no picture. */
  readonly sent: SentPicture | undefined;
}

async function describeSent(
  file: File,
  bytes: Uint8Array,
  style: string,
  fields: Readonly<Record<string, string>>,
): Promise<SentPicture> {
  const found = await sharp(bytes)
    .metadata()
    .catch(() => undefined);
  const { exif, xmp, iptc, comments } = found ?? {};
  return {
    style,
    fields,
    fileName: file.name,
    contentType: file.type,
    sizeBytes: bytes.byteLength,
    type: found?.format,
    width: found?.width,
    height: found?.height,
    hasMetadata: [exif, xmp, iptc, comments].some((value) => value !== undefined),
  };
}

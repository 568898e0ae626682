// What was asked of the stand-in, for tests and for the sandbox's page.
import sharp from "sharp";
import type { Call } from "../http/stand-in.ts";

/** The picture as it arrived. */
export interface SentPicture {
  readonly style: string;
  /** Further fields of the form. */
  readonly fields: Readonly<Record<string, string>>;
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** By its bytes, e.g. `jpeg`; `undefined` for what is no picture, as its measures are then. */
  readonly type: string | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** EXIF, XMP, IPTC or comments: a place, a camera, a name. */
  readonly hasMetadata: boolean;
}

export interface LedgerEntry extends Call {
  /** Whether the key came along. */
  readonly hasKey: boolean;
  /** For a picture that was sent. */
  readonly sent: SentPicture | undefined;
}

/** Looks at what arrived, without decoding it. */
export async function describeSent(
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

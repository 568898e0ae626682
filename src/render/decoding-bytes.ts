// How much memory a picture takes while it is decoded, as measured (sharp 0.35.5, libvips 8.18.7) for its first frame
// decoded upright into a JPEG. Some kinds come row by row and take next to nothing, others lie there whole.
import type { Metadata } from "sharp";

/** What a header tells that memory depends on. */
export type PictureHeader = Pick<
  Metadata,
  "format" | "width" | "height" | "channels" | "depth" | "orientation" | "isProgressive" | "chromaSubsampling"
> & { readonly bitsPerSample?: number | undefined };

/** For what is always held: rows, buffers, threads. */
const BASE_BYTES = 8_000_000;
/** Bytes for each pixel of kinds that lie there whole: WebP's canvas twice, GIF's frame, AVIF's planes and copies. */
const WHOLE_BYTES: Readonly<Record<string, number>> = { webp: 8.5, gif: 5.5, heif: 20 };
/** AVIF of 10 or 12 bits. */
const DEEP_HEIF_BYTES = 26;
/** Orientations from here on lie on their side: rows become columns, for which all of it must be there. */
const FIRST_TURNED = 5;

/** The bytes in all, `sizeBytes` of the file itself among them twice: the bot and the picture process both hold it. */
export function decodingBytes(header: PictureHeader, sizeBytes: number): number {
  return BASE_BYTES + 2 * sizeBytes + header.width * header.height * bytesPerPixel(header);
}

function bytesPerPixel(header: PictureHeader): number {
  const { format, channels, depth, bitsPerSample } = header;
  const whole = format === "heif" && (bitsPerSample ?? 8) > 8 ? DEEP_HEIF_BYTES : (WHOLE_BYTES[format] ?? 0);
  const pixel = channels * (depth === "ushort" ? 2 : 1);
  const turned = (header.orientation ?? 1) >= FIRST_TURNED ? pixel : 0;
  return whole + turned + (header.isProgressive ? progressiveBytes(header, pixel) : 0);
}

/** Progressive JPEG keeps two bytes for each coefficient, of which 4:2:0 has half as many; interlaced PNG all pixels. */
function progressiveBytes({ format, channels, chromaSubsampling }: PictureHeader, pixel: number): number {
  if (format !== "jpeg") {
    return pixel;
  }
  return chromaSubsampling?.startsWith("4:2:0") ? channels + 1 : 2 * channels + 1;
}

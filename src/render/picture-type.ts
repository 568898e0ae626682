// What kind of picture some bytes are, by their first ones. Names and content types are not asked: anyone can choose
// those.
import { PictureError, type PictureType } from "./pictures.ts";

/** As far as a drawing may hold back its `<svg`, behind comments and declarations. */
const TEXT_BYTES = 4_096;
/** Brands of HEIF files whose pictures are HEVC; `mif1` and `msf1` say only that it is some HEIF. */
const HEIC_BRANDS = new Set(["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"]);

/** The kind. Throws PictureError `heic`, `drawing` or `not-a-picture` for what is not taken. */
export function recognisePicture(bytes: Uint8Array): PictureType {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, TEXT_BYTES));
  const text = start.toString("latin1");
  if (text.startsWith("\u00FF\u00D8\u00FF")) {
    return "jpeg";
  }
  if (text.startsWith("\u0089PNG\r\n\u001A\n")) {
    return "png";
  }
  if (/^GIF8[79]a/.test(text)) {
    return "gif";
  }
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") {
    return "webp";
  }
  const brands = text.slice(4, 8) === "ftyp" ? readBrands(start) : [];
  // An AVIF often names mif1 as well, even in first place; one of nothing but frames (avis) cannot be decoded.
  if (brands.includes("avif")) {
    return "avif";
  }
  if (brands.some((brand) => HEIC_BRANDS.has(brand)) && !brands.includes("avis")) {
    throw new PictureError("heic");
  }
  throw new PictureError(isDrawing(start) ? "drawing" : "not-a-picture");
}

/** The major brand and those it is compatible with: https://www.iso.org/standard/83102.html, section 4.3. */
function readBrands(start: Buffer): string[] {
  const end = Math.min(start.readUInt32BE(0), start.length);
  const compatible = start.toString("latin1", 16, Math.max(16, end)).match(/.{4}/gs) ?? [];
  return [start.toString("latin1", 8, 12), ...compatible];
}

/** SVG, in either of the encodings that XML must be read in; PDF and PostScript. */
function isDrawing(start: Buffer): boolean {
  const isWide = start[0] === 0xff && start[1] === 0xfe;
  const text = start
    .toString(isWide ? "utf16le" : "utf8")
    .replace(/^\uFEFF/, "")
    .trimStart();
  const isPage = /^<(?:!doctype\s+)?html\b/i.test(text); // one may well show a drawing
  return /^%(?:PDF|!PS)/.test(text) || (text.startsWith("<") && /<svg\b/i.test(text) && !isPage);
}

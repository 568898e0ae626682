// Tells what kind of picture some bytes are by the first of them. Names, content types and field names are not asked:
// anyone can choose those.

/** The kinds that the bot decodes. */
export type PictureType = "jpeg" | "png" | "webp" | "gif" | "avif";

/** Brands of HEIF files whose pictures are HEVC; `mif1` and `msf1` say only that it is some HEIF. */
const HEIC_BRANDS = new Set(["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"]);
/** The box of brands takes some 40 bytes. */
const HEAD_BYTES = 256;

/** The kind, or `heic`, which the bot cannot decode; `undefined` for anything else. Nothing is said of the rest. */
export function sniffPicture(bytes: Uint8Array): PictureType | "heic" | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES));
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
  if (/^RIFF[^]{4}WEBP/.test(text)) {
    return "webp";
  }
  const brands = text.slice(4, 8) === "ftyp" ? readBrands(start) : [];
  // An AVIF often names mif1 as well, even in first place; one of nothing but frames (avis) cannot be decoded.
  if (brands.includes("avif")) {
    return "avif";
  }
  return brands.some((brand) => HEIC_BRANDS.has(brand)) && !brands.includes("avis") ? "heic" : undefined;
}

/** The major brand and those it is compatible with: https://www.iso.org/standard/83102.html, section 4.3. */
function readBrands(start: Buffer): string[] {
  const end = Math.min(start.readUInt32BE(0), start.length);
  const compatible = start.toString("latin1", 16, Math.max(16, end)).match(/.{4}/gs) ?? [];
  return [start.toString("latin1", 8, 12), ...compatible];
}

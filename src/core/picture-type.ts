// Recognises a picture by its first bytes, because anyone can choose its name and content type.

/** The types that the bot can decode. */
export type PictureType = "jpeg" | "png" | "webp" | "gif" | "avif";

/** Brands of HEIF files with HEVC pictures. `mif1` and `msf1` only say that the file is some HEIF. */
const HEIC_BRANDS = new Set(["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"]);
/** The box that lists the brands has about 40 bytes. */
const HEAD_BYTES = 256;

/** The bot cannot decode `heic`; `undefined` is anything else. The rest of the file may still be invalid. */
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
  // An AVIF often lists mif1 too, even first. One that is only a sequence of frames (avis) cannot be decoded.
  if (brands.includes("avif")) {
    return "avif";
  }
  return brands.some((brand) => HEIC_BRANDS.has(brand)) && !brands.includes("avis") ? "heic" : undefined;
}

/** Reads the major brand and the compatible brands: https://www.iso.org/standard/83102.html, section 4.3. */
function readBrands(start: Buffer): string[] {
  const end = Math.min(start.readUInt32BE(0), start.length);
  const compatible = start.toString("latin1", 16, Math.max(16, end)).match(/.{4}/gs) ?? [];
  return [start.toString("latin1", 8, 12), ...compatible];
}

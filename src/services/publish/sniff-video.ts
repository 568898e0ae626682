// Tells a video by its first bytes: names and types are only what somebody says.

/** MIME type of what begins like this; `undefined` for what is no video. */
export function sniffVideo(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return (
    sniffBoxes(text) ??
    BEGINNINGS.find(
      ([beginning, inside]) => text.startsWith(beginning) && inside.test(text.slice(0, HEAD_BYTES)),
    )?.[2] ??
    (isTransportStream(bytes) ? "video/mp2t" : undefined)
  );
}

/** Pictures and sounds that share the family's box structure with mp4. */
const NO_VIDEO_BRAND = /^(?:hei[cfmsx]|mif1|mif2|miaf|avif|M4A |M4B |M4P |F4A |F4B |crx |jp2 |jpx |jpm )/;
const OLD_QUICKTIME = /^(?:moov|mdat|wide|pnot|free|skip)$/;

/** mp4, mov, 3gp and their family: boxes of a length and a name each. */
function sniffBoxes(text: string): string | undefined {
  const name = text.slice(4, 8);
  if (name !== "ftyp") {
    return OLD_QUICKTIME.test(name) && text.startsWith("\0") ? "video/quicktime" : undefined;
  }
  const brand = text.slice(8, 12);
  if (NO_VIDEO_BRAND.test(brand)) {
    return undefined;
  }
  return brand === "qt  " ? "video/quicktime" : brand.startsWith("3g") ? "video/3gpp" : "video/mp4";
}

/** How the others begin, and what must follow soon. */
const BEGINNINGS: readonly (readonly [beginning: string, inside: RegExp, type: string])[] = [
  ["\x1a\x45\xdf\xa3", /webm/, "video/webm"],
  ["\x1a\x45\xdf\xa3", /^/, "video/x-matroska"],
  ["RIFF", /^.{8}AVI /s, "video/x-msvideo"],
  // ASF holds sound as well; which of the two is told too far inside.
  ["\x30\x26\xb2\x75\x8e\x66\xcf\x11", /^/, "video/x-ms-wmv"],
  ["\0\0\x01\xba", /^/, "video/mpeg"],
  ["\0\0\x01\xb3", /^/, "video/mpeg"],
  ["FLV\x01", /^/, "video/x-flv"],
  // Sound in Ogg says vorbis or Opus first.
  ["OggS", /theora|BBCD|OVP80|fishead/, "video/ogg"],
  ["NSVf", /^/, "video/nsv"],
  ["NSVs", /^/, "video/nsv"],
  ["\x1f\x07\0", /^/, "video/dv"],
];
/** Where it must follow. */
const HEAD_BYTES = 80;

const SYNC_BYTE = 0x47;

/** Packets of 188 bytes, or of 192 with a time before each, as cameras write them. */
function isTransportStream(bytes: Uint8Array): boolean {
  return [
    { first: 0, every: 188 },
    { first: 4, every: 192 },
  ].some(({ first, every }) => [0, 1, 2, 3, 4].every((at) => bytes[first + at * every] === SYNC_BYTE));
}

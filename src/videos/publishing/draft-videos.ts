import { UserError } from "../../core/errors.ts";
import type { MessageFile } from "../../core/ports.ts";
import type { Publication, Publish, PublishRequest } from "./publish.ts";
import { cutLine } from "../../core/text.ts";
import { VIDEO_EXTENSIONS } from "../client/video-source.ts";

export interface RefusedFile {
  readonly name: string;
  readonly sentence: string;
}

/** Discord's limit for one message. */
const MAX_FILES = 10;

/** The service accepts files with these extensions, but they are hardly ever videos. */
const RARELY_VIDEOS: ReadonlySet<string> = new Set(["dat", "gif"]);

/** By Discord's content type or else by its extension. A file without an extension may be one. */
function mayBeVideo({ name, contentType }: MessageFile): boolean {
  if (contentType !== undefined && contentType !== "application/octet-stream") {
    return contentType.startsWith("video/");
  }
  const [, extension] = /\.([^.]*)$/.exec(name.toLowerCase()) ?? [];
  return extension === undefined || (VIDEO_EXTENSIONS.has(extension) && !RARELY_VIDEOS.has(extension));
}

/** Throws a UserError if no draft can be made, with the reason for the first file. */
export async function draftVideos(
  { draft }: Pick<Publish, "draft">,
  request: Omit<PublishRequest, "file" | "title">,
  files: readonly MessageFile[],
): Promise<{ readonly drafts: readonly Publication[]; readonly refused: readonly RefusedFile[] }> {
  const videos = files.filter(mayBeVideo).slice(0, MAX_FILES);
  if (videos.length === 0) {
    throw new UserError(
      "There's no video in that message. Pick one that has a video attached, or use `/video publish` with your own.",
    );
  }
  const drafts: Publication[] = [];
  const refused: RefusedFile[] = [];
  for (const file of videos) {
    try {
      drafts.push(await draft({ ...request, file, title: proposeTitle(file.title ?? file.name) }));
    } catch (error) {
      // A video that is refused does not affect the others.
      if (!(error instanceof UserError)) {
        throw error;
      }
      refused.push({ name: file.name, sentence: error.message });
    }
  }
  const [reason] = refused;
  if (drafts.length === 0 && reason !== undefined) {
    throw new UserError(reason.sentence);
  }
  return { drafts, refused };
}

/** In characters. The service documents no limit; it is known to accept this length. */
export const TITLE_LIMIT = 255;

/** File names that cameras and phones create, which say nothing, e.g. `VID_20261118_173000`, `IMG_0042`, `video0`. */
const GENERATED_NAME =
  /^(?:(?:vid|img|dsc|dscn|mov|mvi|gopr|pxl|video|screen ?recording|untitled)[\s\d-]*|[\d\s-]+)$/i;

/** Of videos only, because `Opening 14.11.2026` and `Café Mr.Smith` have none. */
const EXTENSION = /\.(?:3g[2p]|avi|flv|m4v|mkv|mov|mp4|mpe?g|m?ts|ogv|webm|wmv)$/i;

/** `undefined` if the name says nothing. */
export function proposeTitle(fileName: string): string | undefined {
  const name = fileName
    .replace(EXTENSION, "")
    .replace(/[_\s]+/g, " ")
    .trim();
  return name === "" || GENERATED_NAME.test(name) ? undefined : cutLine(name, TITLE_LIMIT);
}

/** Returns what a person has written with their video, without mentions; `undefined` if that is nothing. */
export function proposeDescription(content: string): string | undefined {
  const words = content.replace(/<[@#][!&]?\d+>/g, "").trim();
  return words === "" ? undefined : words;
}

// Recognises videos by their first bytes, because a file's name and type may be wrong.

/** The MIME type; `undefined` if the bytes are not a video. */
export function sniffVideo(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return (
    sniffBoxes(text) ??
    SIGNATURES.find(
      ([beginning, inside]) => text.startsWith(beginning) && inside.test(text.slice(0, HEAD_BYTES)),
    )?.[2] ??
    (isTransportStream(bytes) ? "video/mp2t" : undefined)
  );
}

/** Brands of pictures and sounds, which have the same box structure as mp4. */
const NO_VIDEO_BRAND = /^(?:hei[cfmsx]|mif1|mif2|miaf|avif|M4A |M4B |M4P |F4A |F4B |crx |jp2 |jpx |jpm )/;
const OLD_QUICKTIME = /^(?:moov|mdat|wide|pnot|free|skip)$/;

/** Recognises mp4, mov, 3gp and related formats: boxes, each with a length and a name. */
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

/** How other formats begin, and what must follow within `HEAD_BYTES`. */
const SIGNATURES: readonly (readonly [beginning: string, inside: RegExp, type: string])[] = [
  ["\x1a\x45\xdf\xa3", /webm/, "video/webm"],
  ["\x1a\x45\xdf\xa3", /^/, "video/x-matroska"],
  ["RIFF", /^.{8}AVI /s, "video/x-msvideo"],
  // An ASF file may contain only sound, but it says so too far inside the file.
  ["\x30\x26\xb2\x75\x8e\x66\xcf\x11", /^/, "video/x-ms-wmv"],
  ["\0\0\x01\xba", /^/, "video/mpeg"],
  ["\0\0\x01\xb3", /^/, "video/mpeg"],
  ["FLV\x01", /^/, "video/x-flv"],
  // An Ogg file with sound only begins with Vorbis or Opus.
  ["OggS", /theora|BBCD|OVP80|fishead/, "video/ogg"],
  ["NSVf", /^/, "video/nsv"],
  ["NSVs", /^/, "video/nsv"],
  ["\x1f\x07\0", /^/, "video/dv"],
];
const HEAD_BYTES = 80;

const SYNC_BYTE = 0x47;

/** Packets of 188 bytes, or of 192 with a time stamp before each packet, as cameras write them. */
function isTransportStream(bytes: Uint8Array): boolean {
  return [
    { first: 0, every: 188 },
    { first: 4, every: 192 },
  ].some(({ first, every }) => [0, 1, 2, 3, 4].every((at) => bytes[first + at * every] === SYNC_BYTE));
}

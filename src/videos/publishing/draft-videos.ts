// Drafts of all the videos that somebody points at.
import { UserError } from "../../core/errors.ts";
import type { MessageFile } from "../../core/ports.ts";
import type { Publication, Publish, PublishRequest } from "./publish.ts";
import { cutLine } from "../../core/text.ts";
import { VIDEO_EXTENSIONS } from "../client/video-source.ts";

export interface RefusedFile {
  readonly name: string;
  readonly sentence: string;
}

/** As many as one message has. */
const MOST_FILES = 10;

/** The service takes them, but files with such names are hardly ever videos. */
const SELDOM_VIDEOS: ReadonlySet<string> = new Set(["dat", "gif"]);

/** Whether a file may be a video, by what Discord takes it for, or else by its name; what is without an end may be. */
function mayBeVideo({ name, contentType }: MessageFile): boolean {
  if (contentType !== undefined && contentType !== "application/octet-stream") {
    return contentType.startsWith("video/");
  }
  const [, end] = /\.([^.]*)$/.exec(name.toLowerCase()) ?? [];
  return end === undefined || (VIDEO_EXTENSIONS.has(end) && !SELDOM_VIDEOS.has(end));
}

/** Titles each by its file's name. Throws UserError where none can be made, for the reason of the first. */
export async function draftVideos(
  { draft }: Pick<Publish, "draft">,
  request: Omit<PublishRequest, "file" | "title">,
  files: readonly MessageFile[],
): Promise<{ readonly drafts: readonly Publication[]; readonly refused: readonly RefusedFile[] }> {
  const videos = files.filter(mayBeVideo).slice(0, MOST_FILES);
  if (videos.length === 0) {
    throw new UserError(
      "There's no video in that message. Pick one that has a video attached, or use `/video publish` with your own.",
    );
  }
  const drafts: Publication[] = [];
  const refused: RefusedFile[] = [];
  for (const file of videos) {
    try {
      drafts.push(await draft({ ...request, file, title: proposeTitle(file.name) }));
    } catch (error) {
      // One that will not do leaves the others.
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

/** In characters; the service names no limit, this is known to be taken. */
export const TITLE_LIMIT = 255;

// What may be said of a video, where nobody has said anything yet.

/** Names that cameras and phones give say nothing, e.g. `VID_20261118_173000`, `IMG_0042`, `video0`. */
const BY_MACHINE =
  /^(?:(?:vid|img|dsc|dscn|mov|mvi|gopr|pxl|video|screen ?recording|untitled)[\s\d-]*|[\d\s-]+)$/i;

/** A file's name without its end, in words; `undefined` where it says nothing. */
export function proposeTitle(fileName: string): string | undefined {
  const name = fileName
    .replace(/\.[^.]{1,5}$/, "")
    .replace(/[_\s]+/g, " ")
    .trim();
  return name === "" || BY_MACHINE.test(name) ? undefined : cutLine(name, TITLE_LIMIT);
}

/** What a person has written beside their video, without mentions; `undefined` where that is nothing. */
export function proposeDescription(content: string): string | undefined {
  const words = content.replace(/<[@#][!&]?\d+>/g, "").trim();
  return words === "" ? undefined : words;
}

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

// What members and services send, made fit to be passed on. Bytes are looked at here; pixels only in a process of
// their own.
import type { Clock } from "../core/clock.ts";
import { type PictureType, sniffPicture } from "../core/picture-type.ts";
import { drawScreen } from "./dot-screen.ts";
import { cutToWidth, dotWidth } from "./dot-text.ts";
import {
  type EncodeRequest,
  type MadePicture,
  type SheetCell,
  createPictureProcess,
} from "./picture-process.ts";
import { type Picture, type PreparedPicture, MAX_PIXELS, pixelsOf, PictureError } from "./pictures.ts";
import { readPlainPicture } from "./plain-picture.ts";

/** The most that WebP can say, and nearly as much as JPEG decoders take. */
const MAX_SIDE = 16_383;

/** Starts nothing yet. All throw PictureError for bytes that cannot be used; what is opaque becomes JPEG. */
export function createPictureTools({ clock }: { readonly clock: Clock }) {
  const pictureProcess = createPictureProcess({ clock });

  function encode(bytes: Uint8Array, request: Omit<EncodeRequest, "do">): Promise<MadePicture> {
    const maxSide = Math.min(request.maxSide, MAX_SIDE);
    return pictureProcess.ask({ do: "encode", ...request, maxSide }, [bytes]);
  }

  return {
    /** Makes a member's picture fit to leave: within the limits, upright, nothing in it but pixels; JPEG or PNG. */
    async prepare(
      bytes: Uint8Array,
      limits: Pick<EncodeRequest, "maxBytes" | "maxSide">,
    ): Promise<PreparedPicture> {
      const type = recognisePicture(bytes);
      const { wasAnimated, wasReduced, ...made } = await encode(bytes, { ...limits, transparentAs: ["png"] });
      return { ...asPicture(made), type, wasAnimated, wasReduced };
    },
    /** The same for a service's picture, in its own size if that fits; a transparent one is scaled down to 6 megapixels. */
    async receive(
      bytes: Uint8Array,
      maxBytes = Number.MAX_SAFE_INTEGER,
    ): Promise<Picture & Pick<PreparedPicture, "wasReduced">> {
      recognisePicture(bytes);
      const limits = { maxBytes, maxSide: MAX_SIDE, transparentAs: ["png", "webp"] } as const;
      const { wasReduced, ...made } = await encode(bytes, limits);
      return { ...asPicture(made), wasReduced };
    },
    /**
     * Lays `over` on `base` at an opacity of 0 to 1, in the size of `over` (at most 16 megapixels). If `base` has another
     * shape, its edges are cut off evenly. With `keepsAlpha`, transparent parts of `base` stay transparent.
     */
    async blend(base: Uint8Array, over: Uint8Array, opacity: number, keepsAlpha = false): Promise<Picture> {
      recognisePicture(base);
      recognisePicture(over);
      return asPicture(await pictureProcess.ask({ do: "blend", opacity, keepsAlpha }, [base, over]));
    },
    /** The best picture of at most this many bytes: as it is if it fits and holds nothing but pixels. */
    async fit(bytes: Uint8Array, maxBytes: number, maxSide = MAX_SIDE): Promise<Picture> {
      recognisePicture(bytes);
      return (
        asItIs(bytes, maxBytes, Math.min(maxSide, MAX_SIDE)) ??
        asPicture(await encode(bytes, { maxBytes, maxSide, transparentAs: ["png", "webp"] }))
      );
    },
    /** Up to ten pictures on one, three in a row, each whole and with its name below it. */
    async sheet(tiles: readonly { readonly bytes: Uint8Array; readonly label: string }[]): Promise<Picture> {
      for (const { bytes } of tiles) {
        recognisePicture(bytes);
      }
      const { sheet, cells } = await drawSheet(tiles.map(({ label }) => label));
      const pictures = [sheet, ...tiles.map(({ bytes }) => bytes)];
      return asPicture(await pictureProcess.ask({ do: "sheet", cells }, pictures));
    },
    /** Ends the picture process; what is under way fails as ServiceError `aborted`. */
    close: () => pictureProcess.close(),
  };
}

export type PictureTools = Omit<ReturnType<typeof createPictureTools>, "close">;

function asPicture({ bytes, contentType, width, height }: Picture): Picture {
  return { bytes, contentType, width, height };
}

/** A picture that holds nothing but pixels and is within the limits, e.g. one that was made here. */
function asItIs(bytes: Uint8Array, maxBytes: number, maxSide: number): Picture | undefined {
  const plain = bytes.byteLength <= maxBytes ? readPlainPicture(bytes) : undefined;
  const isSmall = plain && Math.max(plain.width, plain.height) <= maxSide;
  return isSmall && pixelsOf(plain) <= MAX_PIXELS ? { bytes, ...plain } : undefined;
}

/** As far as a drawing may hold back its `<svg`, behind comments and declarations. */
const TEXT_BYTES = 4_096;

/** The kind. Throws PictureError `heic`, `drawing` or `not-a-picture` for what is not taken. */
export function recognisePicture(bytes: Uint8Array): PictureType {
  const type = sniffPicture(bytes);
  if (type === undefined || type === "heic") {
    throw new PictureError(type ?? (isDrawing(bytes) ? "drawing" : "not-a-picture"));
  }
  return type;
}

/** SVG, in either of the encodings that XML must be read in; PDF and PostScript. */
function isDrawing(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, TEXT_BYTES));
  const isWide = start[0] === 0xff && start[1] === 0xfe;
  const text = start
    .toString(isWide ? "utf16le" : "utf8")
    .replace(/^\uFEFF/, "")
    .trimStart();
  const isPage = /^<(?:!doctype\s+)?html\b/i.test(text); // one may well show a drawing
  return /^%(?:PDF|!PS)/.test(text) || (text.startsWith("<") && /<svg\b/i.test(text) && !isPage);
}

const COLUMNS = 3;
const SHEET_WIDTH = 1_000;
const GAP = 16;
const CELL = { width: Math.floor((SHEET_WIDTH - GAP * (COLUMNS + 1)) / COLUMNS), height: 236 };
/** Letters as large as on boards: 10 points on a phone. */
const PITCH = 3;
const LABEL_HEIGHT = 44;
const BASELINE = 34;
const BACKGROUND = 0x14120f;
const NAME = 0xffc66b;

/** Draws the empty sheet with its names, as PNG, and says where the pictures go. */
async function drawSheet(labels: readonly string[]) {
  const cells = labels.map((_, index): SheetCell => {
    const left = GAP + (index % COLUMNS) * (CELL.width + GAP);
    const top = GAP + Math.floor(index / COLUMNS) * (CELL.height + LABEL_HEIGHT + GAP);
    return { left, top, ...CELL };
  });
  const rows = Math.ceil(labels.length / COLUMNS);
  const height = rows * (CELL.height + LABEL_HEIGHT + GAP) + GAP;
  const size = { width: SHEET_WIDTH, height, background: BACKGROUND };
  const sheet = await drawScreen(size, (screen) => {
    for (const [index, { left, top }] of cells.entries()) {
      const text = cutToWidth(labels[index] ?? "", PITCH, CELL.width);
      const indent = Math.floor((CELL.width - dotWidth(text, PITCH)) / 2);
      screen.text(text, left + indent, top + CELL.height + BASELINE, PITCH, NAME);
    }
  });
  return { sheet, cells };
}

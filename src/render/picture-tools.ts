// Prepares the pictures of members and services to be sent on. Only the bytes are inspected here; the pixels are
// decoded in the picture process.
import { type PictureType, sniffPicture } from "../core/picture-type.ts";
import { drawScreen } from "./dot-screen.ts";
import { cutToWidth, dotWidth } from "./dot-text.ts";
import {
  type EncodeRequest,
  type PictureProcessOptions,
  type SheetCell,
  createPictureProcess,
} from "./picture-process.ts";
import { type Picture, type PreparedPicture, PictureError } from "./pictures.ts";

/** WebP's limit, which is also close to that of JPEG decoders. */
const MAX_SIDE = 16_383;

export type FittedPicture = Omit<PreparedPicture, "wasAnimated">;

/** Its functions throw PictureError for bytes that cannot be used. Opaque results are JPEGs. */
export function createPictureTools(options: PictureProcessOptions) {
  const pictureProcess = createPictureProcess(options);

  function encode(bytes: Uint8Array, request: Omit<EncodeRequest, "do">): Promise<PreparedPicture> {
    const maxSide = Math.min(request.maxSide, MAX_SIDE);
    return pictureProcess.ask({ do: "encode", ...request, maxSide }, [bytes]);
  }

  return {
    /** Prepares a member's picture to be sent: within the limits, upright, without metadata, as JPEG or PNG. */
    async prepare(
      bytes: Uint8Array,
      limits: Pick<EncodeRequest, "maxBytes" | "maxSide">,
    ): Promise<PreparedPicture> {
      recognisePicture(bytes);
      return encode(bytes, { ...limits, transparentAs: ["png"] });
    },
    /**
     * Prepares a picture to be shown: as `prepare`, but without limits unless given, and a transparent one may become a
     * WebP.
     */
    async fit(
      bytes: Uint8Array,
      maxBytes = Number.MAX_SAFE_INTEGER,
      maxSide = MAX_SIDE,
    ): Promise<FittedPicture> {
      recognisePicture(bytes);
      return encode(bytes, { maxBytes, maxSide, transparentAs: ["png", "webp"] });
    },
    /**
     * `opacity` is 0 to 1. The result has the size of `over`, at most 16 megapixels; a `base` of another shape loses
     * its edges evenly. With `keepsAlpha`, transparent parts of `base` stay transparent.
     */
    async blend(
      base: Uint8Array,
      over: Uint8Array,
      opacity: number,
      keepsAlpha = false,
    ): Promise<FittedPicture> {
      recognisePicture(base);
      recognisePicture(over);
      return pictureProcess.ask({ do: "blend", opacity, keepsAlpha }, [base, over]);
    },
    /** Puts up to ten pictures on one sheet, three in a row, each whole and with its name below it. */
    async sheet(tiles: readonly { readonly bytes: Uint8Array; readonly label: string }[]): Promise<Picture> {
      for (const { bytes } of tiles) {
        recognisePicture(bytes);
      }
      const { sheet, cells } = await drawSheet(tiles.map(({ label }) => label));
      const pictures = [sheet, ...tiles.map(({ bytes }) => bytes)];
      return pictureProcess.ask({ do: "sheet", cells }, pictures);
    },
    /** Ends the picture process. Running requests fail with ServiceError `aborted`. */
    close: () => pictureProcess.close(),
  };
}

export type PictureTools = Omit<ReturnType<typeof createPictureTools>, "close">;

/** How far into a file `<svg` is searched for, because comments and declarations may come before it. */
const TEXT_BYTES = 4_096;

/** The kind of picture. Throws PictureError `heic`, `drawing` or `not-a-picture` if it is not supported. */
export function recognisePicture(bytes: Uint8Array): PictureType {
  const type = sniffPicture(bytes);
  if (type === undefined || type === "heic") {
    throw new PictureError(type ?? (isDrawing(bytes) ? "drawing" : "not-a-picture"));
  }
  return type;
}

/** Whether a file is an SVG (in UTF-8 or UTF-16, which every XML reader supports), a PDF or PostScript. */
function isDrawing(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, TEXT_BYTES));
  const isWide = start[0] === 0xff && start[1] === 0xfe;
  const text = start
    .toString(isWide ? "utf16le" : "utf8")
    .replace(/^\uFEFF/, "")
    .trimStart();
  const isPage = /^<(?:!doctype\s+)?html\b/i.test(text); // a page may contain an SVG
  return /^%(?:PDF|!PS)/.test(text) || (text.startsWith("<") && /<svg\b/i.test(text) && !isPage);
}

const COLUMNS = 3;
const SHEET_WIDTH = 1_000;
const GAP = 16;
const CELL = { width: Math.floor((SHEET_WIDTH - GAP * (COLUMNS + 1)) / COLUMNS), height: 236 };
/** The smaller text of boards. */
const PITCH = 3;
const LABEL_HEIGHT = 44;
const BASELINE = 34;
const BACKGROUND = 0x14120f;
const NAME = 0xffc66b;

/** Draws the sheet as PNG, with names but no pictures, and returns the cells for the pictures. */
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

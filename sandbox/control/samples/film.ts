// The sample video: a train passes at dusk. Drawn pixel by pixel, so that nothing of anybody's is in it.
import { setImmediate as breathe } from "node:timers/promises";
import { formatPicture, formatPictures, formatSequence, type Blocks, type FilmSize } from "./h264.ts";
import { formatMp4 } from "./mp4.ts";

type Colour = readonly [y: number, cb: number, cr: number];

const SIZE: FilmSize = { columns: 20, rows: 12 };
const BLOCK = 16;
const PICTURES_PER_SECOND = 10;
const SECONDS = 5;
/** In blocks: it moves by one from picture to picture, so that most of it looks as it did. */
const TRAIN_LENGTH = 14;
const TRAIN = { top: 128, bottom: 160 } as const;
const HORIZON = 112;
const MOON = { x: 232, y: 40, radius: 20 } as const;

const COLOURS = {
  moon: [222, 112, 136],
  hill: [52, 134, 122],
  grass: [78, 116, 112],
  rail: [150, 128, 128],
  ballast: [62, 126, 132],
  roof: [60, 130, 126],
  side: [92, 104, 196],
  stripe: [214, 118, 132],
  pane: [206, 84, 148],
  wheel: [32, 128, 128],
} as const satisfies Readonly<Record<string, Colour>>;

/** An MP4 of 320 × 192, without sound. */
export async function makeFilm(): Promise<Uint8Array> {
  const samples: Uint8Array[] = [];
  let before: Blocks | undefined;
  for (let number = 0; number < SECONDS * PICTURES_PER_SECOND; number += 1) {
    const blocks = drawBlocks(number);
    samples.push(formatPicture(blocks, before, number, SIZE));
    before = blocks;
    // It is drawn while the page is being opened, which comes first.
    await breathe();
  }
  return formatMp4({
    width: SIZE.columns * BLOCK,
    height: SIZE.rows * BLOCK,
    picturesPerSecond: PICTURES_PER_SECOND,
    sequence: formatSequence(SIZE),
    pictures: formatPictures(),
    samples,
  });
}

function drawBlocks(number: number): Blocks {
  const headX = (number - PICTURES_PER_SECOND / 2) * BLOCK;
  const blocks: Uint8Array[] = [];
  for (let row = 0; row < SIZE.rows; row += 1) {
    for (let column = 0; column < SIZE.columns; column += 1) {
      blocks.push(drawBlock(column * BLOCK, row * BLOCK, headX));
    }
  }
  return blocks;
}

/** Colours are kept for every second pixel of every second line. */
function drawBlock(left: number, top: number, headX: number): Uint8Array {
  const block = new Uint8Array(384);
  for (let at = 0; at < 256; at += 1) {
    const [x, y] = [at % BLOCK, Math.floor(at / BLOCK)];
    const [luma, cb, cr] = colourAt(left + x, top + y, headX);
    block[at] = luma;
    if (x % 2 === 0 && y % 2 === 0) {
      const half = (y / 2) * 8 + x / 2;
      block[256 + half] = cb;
      block[320 + half] = cr;
    }
  }
  return block;
}

function colourAt(x: number, y: number, headX: number): Colour {
  const train = y >= TRAIN.top && y < TRAIN.bottom + 6 ? trainAt(headX - x, y) : undefined;
  return train ?? groundAt(y) ?? skyAt(x, y);
}

/** Seen from its head, `behind` pixels back; `undefined` beside it. */
function trainAt(behind: number, y: number): Colour | undefined {
  const fromTop = y - TRAIN.top;
  const slope = Math.max(0, 16 - fromTop);
  if (behind <= slope || behind > TRAIN_LENGTH * BLOCK) {
    return undefined;
  }
  if (y >= TRAIN.bottom) {
    return behind % BLOCK < 10 ? COLOURS.wheel : undefined;
  }
  const isPane = fromTop >= 8 && fromTop < 16 && behind % BLOCK >= 4;
  return fromTop < 4
    ? COLOURS.roof
    : isPane
      ? COLOURS.pane
      : fromTop >= 20 && fromTop < 24
        ? COLOURS.stripe
        : COLOURS.side;
}

function groundAt(y: number): Colour | undefined {
  if (y >= TRAIN.bottom && y < TRAIN.bottom + 16) {
    return y >= TRAIN.bottom + 6 && y < TRAIN.bottom + 9 ? COLOURS.rail : COLOURS.ballast;
  }
  return y >= HORIZON ? COLOURS.grass : undefined;
}

function skyAt(x: number, y: number): Colour {
  if (y > HORIZON - 18 - 12 * Math.sin(x / 29) - 5 * Math.sin(x / 11)) {
    return COLOURS.hill;
  }
  if ((x - MOON.x) ** 2 + (y - MOON.y) ** 2 < MOON.radius ** 2) {
    return COLOURS.moon;
  }
  // From night above to the last light, in bands of four lines.
  const share = Math.floor(y / 4) / (HORIZON / 4);
  return [Math.round(48 + 120 * share), Math.round(150 - 40 * share), Math.round(120 + 42 * share)];
}

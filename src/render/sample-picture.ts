// A picture of our own to show styles with: an evening train before hills and the sea. Nobody's photograph is sent
// anywhere for it, and it has what tells styles apart: plain sky, fine detail, edges, light and dark.
import type { SKRSContext2D } from "@napi-rs/canvas";

const [WIDTH, HEIGHT] = [768, 576];

/** Says in words what the picture shows. */
export const SAMPLE_PICTURE_DESCRIPTION = "a red train before green hills and the sea, in the evening sun";

/** Draws it, as PNG; the same bytes each time. Canvas is loaded at the first call. */
export async function drawSamplePicture(): Promise<Uint8Array> {
  const { createCanvas } = await import("@napi-rs/canvas");
  const canvas = createCanvas(WIDTH, HEIGHT);
  const context = canvas.getContext("2d");
  drawSky(context);
  drawSea(context);
  drawHills(context);
  drawTrain(context);
  drawMeadow(context);
  return canvas.encode("png");
}

function drawSky(context: SKRSContext2D): void {
  const sky = context.createLinearGradient(0, 0, 0, 330);
  sky.addColorStop(0, "#3b6ea8");
  sky.addColorStop(0.6, "#e9a77c");
  sky.addColorStop(1, "#ffe0a3");
  context.fillStyle = sky;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  disc(context, 560, 190, 58, "#fff3c4");
  for (const [x, y, size] of [
    [130, 90, 34],
    [190, 104, 26],
    [84, 108, 24],
    [330, 150, 22],
    [372, 158, 18],
  ] as const) {
    disc(context, x, y, size, "#fbe4d6");
  }
}

function drawSea(context: SKRSContext2D): void {
  context.fillStyle = "#4d86a6";
  context.fillRect(0, 300, WIDTH, 120);
  context.fillStyle = "#f7d9a0";
  for (let line = 0; line < 9; line += 1) {
    const width = 130 - line * 11;
    context.fillRect(560 - width / 2 + (line % 2) * 14, 306 + line * 11, width, 3);
  }
}

function drawHills(context: SKRSContext2D): void {
  shape(context, "#48705a", [0, 250, 120, 190, 260, 262, 380, 300, 470, 420, 0, 420]);
  shape(context, "#33543f", [0, 330, 150, 268, 300, 344, 420, 360, 520, 430, 0, 430]);
  // A white house with a dark roof, and its window.
  shape(context, "#f4efe2", [118, 300, 168, 300, 168, 336, 118, 336]);
  shape(context, "#7a3b2e", [110, 302, 143, 276, 176, 302]);
  shape(context, "#3c4a5a", [136, 312, 150, 312, 150, 326, 136, 326]);
}

function drawTrain(context: SKRSContext2D): void {
  shape(context, "#6b5a48", [0, 424, WIDTH, 408, WIDTH, 432, 0, 448]);
  for (const [index, x] of [40, 238, 436].entries()) {
    const y = 368 - index * 4;
    context.fillStyle = "#b3262e";
    context.beginPath();
    context.roundRect(x, y, 190, 62, index === 2 ? [8, 40, 10, 8] : 8);
    context.fill();
    context.fillStyle = "#f2e3c2";
    context.fillRect(x, y + 40, index === 2 ? 178 : 190, 6);
    context.fillStyle = "#22303f";
    for (let window = 0; window < 5; window += 1) {
      context.fillRect(x + 14 + window * 34, y + 14, 24, 18);
    }
    for (const wheel of [28, 60, 130, 162]) {
      disc(context, x + wheel, y + 62, 10, "#1d1f24");
    }
  }
}

function drawMeadow(context: SKRSContext2D): void {
  shape(context, "#7d9a45", [0, 446, WIDTH, 430, WIDTH, HEIGHT, 0, HEIGHT]);
  // Flowers in rows that are none: steps that share no divisor with the width.
  const colours = ["#f6d743", "#ffffff", "#d9578a", "#5c7a2f", "#9dbb5d"];
  for (let flower = 0; flower < 420; flower += 1) {
    const x = (flower * 197) % WIDTH;
    const depth = (flower * 89) % 120;
    disc(context, x, 452 + depth, 1.5 + depth / 34, colours[flower % colours.length] ?? "#fff");
  }
}

function disc(context: SKRSContext2D, x: number, y: number, radius: number, colour: string): void {
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

/** Corners as x, y, x, y … */
function shape(context: SKRSContext2D, colour: string, corners: readonly number[]): void {
  context.fillStyle = colour;
  context.beginPath();
  for (let at = 0; at < corners.length; at += 2) {
    context.lineTo(corners[at] ?? 0, corners[at + 1] ?? 0);
  }
  context.closePath();
  context.fill();
}

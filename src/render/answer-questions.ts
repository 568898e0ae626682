// The picture process's life: a question, an answer, until the bot hangs up.
import type { Readable, Writable } from "node:stream";
import { type EncodedPicture, encodeCanvas, encodePicture } from "./encode-picture.ts";
import { type Frame, createFrameReader, writeFrame } from "./picture-frames.ts";
import { type BlendQuestion, type PictureAnswer, type PictureQuestion } from "./picture-process.ts";
import { PictureError } from "./pictures.ts";
import { type OpenPicture, openPicture, orDamaged } from "./open-picture.ts";
import { type PictureSize, fitPixels, pixelsOf } from "./picture-size.ts";
import { createRawCanvas } from "./picture-canvas.ts";

/** Answers what comes in, one after the other. */
export async function answerQuestions(questions: Readable, answers: Writable): Promise<void> {
  const read = createFrameReader(questions);
  const answerNext = async (): Promise<boolean> => {
    const frame = await read();
    if (frame !== undefined) {
      writeFrame(answers, ...(await answerOne(frame)));
    }
    return frame !== undefined;
  };
  while (await answerNext()) {
    // In V8's scales pictures weigh next to nothing: without this, many would lie about before it tidies up.
    globalThis.gc?.();
  }
}

async function answerOne(frame: Frame): Promise<[PictureAnswer, readonly Uint8Array[]]> {
  try {
    const { bytes, ...facts } = await work(frame);
    return [{ type: "picture", ...facts }, [bytes]];
  } catch (error) {
    if (error instanceof PictureError && error.problem !== "drawing" && error.problem !== "too-slow") {
      return [{ type: "problem", problem: error.problem, detail: describe(error.cause) }, []];
    }
    return [{ type: "bug", detail: describe(error) ?? "" }, []];
  }
}

function work({ message, pictures: [first = NOTHING, second = NOTHING] }: Frame): Promise<EncodedPicture> {
  // The bot is the only one who asks, and it asks only this.
  const question = message as PictureQuestion;
  return question.do === "encode" ? encodePicture(first, question) : blendPictures(first, second, question);
}

const NOTHING = new Uint8Array();

/** For the bot's log; cut, because a decoder may have a warning for each row. */
function describe(error: unknown): string | undefined {
  return error instanceof Error ? error.message.slice(0, 500) : undefined;
}

/** Both lie there decoded. */
const BLEND_PIXELS = 16_000_000;
const CHANNELS = 4;

/** Blends in the size of `over`. Throws PictureError. */
async function blendPictures(
  base: Uint8Array,
  over: Uint8Array,
  { opacity }: BlendQuestion,
): Promise<EncodedPicture> {
  const above = await openPicture(over);
  const size = fitPixels(above, BLEND_PIXELS);
  const aboveRgba = await decodeTo(above, size);
  const below = await openPicture(base, aboveRgba.byteLength);
  const belowRgba = await decodeTo(below, size);
  mix(belowRgba, aboveRgba, opacity);
  const blended = await encodeCanvas(createRawCanvas(size, belowRgba), {
    maxBytes: Number.MAX_SAFE_INTEGER,
    transparentAs: ["png"],
  });
  return {
    ...blended,
    wasAnimated: below.isAnimated || above.isAnimated,
    wasReduced: pixelsOf(blended) < pixelsOf(above),
  };
}

/** A service that gives back another shape has most likely cut the edges off: so is this. */
function decodeTo(picture: OpenPicture, { width, height }: PictureSize): Promise<Buffer> {
  return orDamaged(picture.decode().resize({ width, height, fit: "cover" }).ensureAlpha().raw().toBuffer());
}

/** Mixes `over` into `base`; a colour counts as much as it covers, so that nothing fades to black at an edge. */
function mix(base: Buffer, over: Buffer, opacity: number): void {
  for (let at = 0; at < base.length; at += CHANNELS) {
    const baseCovers = (base[at + 3] ?? 0) * (1 - opacity);
    const overCovers = (over[at + 3] ?? 0) * opacity;
    const covers = baseCovers + overCovers;
    const share = covers === 0 ? 0 : overCovers / covers;
    for (let channel = at; channel < at + 3; channel += 1) {
      const below = base[channel] ?? 0;
      base[channel] = Math.round(below + ((over[channel] ?? 0) - below) * share);
    }
    base[at + 3] = Math.round(covers);
  }
}

// The picture process's life: a question, an answer, until the bot hangs up.
import type { Readable, Writable } from "node:stream";
import { blendPictures } from "./blend-pictures.ts";
import { type EncodedPicture, encodePicture } from "./encode-picture.ts";
import { type Frame, createFrameReader, writeFrame } from "./picture-frames.ts";
import { READY, type PictureAnswer, type PictureQuestion } from "./picture-questions.ts";
import { PictureError } from "./pictures.ts";

/** Says that it is ready, and answers what comes in, one after the other. */
export async function answerQuestions(questions: Readable, answers: Writable): Promise<void> {
  const read = createFrameReader(questions);
  const answerNext = async (): Promise<boolean> => {
    const frame = await read();
    if (frame !== undefined) {
      writeFrame(answers, ...(await answerOne(frame)));
    }
    return frame !== undefined;
  };
  writeFrame(answers, READY, []);
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

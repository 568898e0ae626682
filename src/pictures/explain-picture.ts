// What is wrong with a picture, in words for the person who sent it, or as the fault of the service that made it.
import { ServiceError, type ServiceErrorKind, UserError } from "../core/errors.ts";
import { PictureError, type PictureProblem } from "../render/pictures.ts";

/** A new problem does not compile without a sentence. */
const SENTENCES: Readonly<Record<PictureProblem, string>> = {
  "not-a-picture":
    "That file is no picture that I can read, whatever its name says. Please send a JPEG, PNG, WebP, GIF or AVIF.",
  heic: "That is a HEIC picture, as iPhones take them, and I cannot read those. Please send it as a JPEG: a screenshot of it will do.",
  drawing: "That is a drawing and not a picture, an SVG for example. Please save it as a PNG and send that.",
  "too-many-pixels":
    "That picture has more pixels than I can take in: 40 million, or fewer for AVIF and WebP. Please make it smaller first.",
  "too-many-frames":
    "That animation has more than 100 frames. Please send a shorter one, or a single picture of it.",
  damaged:
    "That picture is damaged: I cannot read all of it. Please open it, save it again and send that, or try another.",
  "too-slow": "That picture took me too long to read. Please make it smaller, or save it as a JPEG first.",
};

/** Does something with what a person sent; what is wrong with it becomes a UserError. */
export async function ofPerson<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof PictureError ? new UserError(SENTENCES[error.problem], { cause: error }) : error;
  }
}

/** Does something with what the service made; what is wrong with it becomes a ServiceError. */
export async function ofService<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PictureError)) {
      throw error;
    }
    const isLarge = error.problem === "too-many-pixels" || error.problem === "too-slow";
    const kind = isLarge ? "too-large" : "unexpected-answer";
    throw new ServiceError("style", kind, `the result: ${error.problem}`, { cause: error });
  }
}

/** What is better said of a picture than of an entry in a form. */
const FAILURES: Partial<Record<ServiceErrorKind, (error: ServiceError) => string>> = {
  rejected: () =>
    "The picture service would not take this picture. Please try another picture, or another style.",
  "not-found": () =>
    "The picture service has no style by that name. Please try another one; /styles may help.",
  "unexpected-answer": () =>
    "The picture service sent back something that is no picture. Please try again later, and tell the person who runs this bot if it goes on.",
  "too-large": ({ status }) =>
    status === 413
      ? "This picture is too large for the picture service. Please try a smaller one."
      : "The picture service sent back more than I can take in. Please try a smaller picture, or another style.",
};

/** Explains a failure of the style service; `undefined` where the general sentence will do. */
export function explainPictureError(error: ServiceError): string | undefined {
  return error.service === "style" ? FAILURES[error.kind]?.(error) : undefined;
}

import { ServiceError, type ServiceErrorKind, UserError } from "../core/errors.ts";
import { PictureError, type PictureProblem } from "../render/pictures.ts";

const SENTENCES: Readonly<Record<PictureProblem, string>> = {
  "not-a-picture":
    "That file isn't a picture I can read, despite its name. Please send a JPEG, PNG, WebP, GIF or AVIF.",
  heic: "That's a HEIC picture, the kind iPhones take, and I can't read those. Please send it as a JPEG. A screenshot of it will do.",
  drawing: "That's a drawing, such as an SVG, not a picture. Please save it as a PNG and send that.",
  "too-many-pixels":
    "That picture has too many pixels. I can read up to 40 million, or fewer for AVIF and WebP. Please make it smaller first.",
  "too-many-frames":
    "That animation has more than 100 frames. Please send a shorter one, or a single picture from it.",
  damaged:
    "That picture is damaged: I can't read all of it. Please open it, save it again and send that, or try another.",
  "too-slow": "I took too long to read that picture. Please make it smaller, or save it as a JPEG first.",
};

/** Waits for `work` on a member's picture and turns a PictureError into a UserError with advice. */
export function asUserError<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof PictureError
      ? new UserError(SENTENCES[error.problem], "input", { cause: error })
      : error;
  });
}

/** Waits for `work` on a picture from the service and turns a PictureError into a ServiceError of `style`. */
export function asServiceError<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof PictureError)) {
      throw error;
    }
    const isLarge = error.problem === "too-many-pixels" || error.problem === "too-slow";
    const kind = isLarge ? "too-large" : "unexpected-answer";
    throw new ServiceError("style", kind, `the result: ${error.problem}`, { cause: error });
  });
}

/** Sentences that suit pictures better than the general ones, which suit entries in a form. */
const FAILURES: Partial<Record<ServiceErrorKind, (error: ServiceError) => string>> = {
  rejected: () =>
    "The style service didn't accept this picture. Please try another picture, or another style.",
  "not-found": () =>
    "The style service has no style by that name. Please try another one: `/styles` shows some.",
  "unexpected-answer": () =>
    "The style service sent back something that isn't a picture. Please try again later. If it keeps happening, tell the person who runs this bot.",
  "too-large": ({ status }) =>
    status === 413
      ? "This picture is too large for the style service. Please try a smaller one."
      : "The style service sent back a picture that's too large for me. Please try a smaller picture, or another style.",
};

/** Explains a failure of the style service; `undefined` if the general sentence is good enough. */
export function explainPictureError(error: ServiceError): string | undefined {
  return error.service === "style" ? FAILURES[error.kind]?.(error) : undefined;
}

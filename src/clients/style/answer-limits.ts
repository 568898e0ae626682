// How much of an answer is taken in.

/**
 * The largest result. A sheet of A3 at 300 dots per inch (17 megapixels) is 5 to 10 MB as a JPEG and up to some 30 as
 * a PNG; more than that is never posted anyway, and each byte is held several times while it is unwrapped.
 */
export const MAX_PICTURE_BYTES = 32 * 1024 * 1024;

/** The largest answer: such a picture as base64 in JSON, with the fields around it. */
export const MAX_ANSWER_BYTES = Math.ceil(1.37 * MAX_PICTURE_BYTES) + 64 * 1024;

// Memory that starting leaves behind: sources that were read, code that runs once. Left alone, V8 keeps the room.

/**
 * Gives it back: measured 15 MB of 145, for a pause of 0.1 s in which nothing is answered. Does nothing unless Node was
 * started with `--expose-gc`, as `npm start` and the image have it.
 */
export function tidyMemory(): void {
  // An ordinary collection keeps half-empty pages, and with them nearly everything.
  globalThis.gc?.({ type: "major", flavor: "last-resort" });
}

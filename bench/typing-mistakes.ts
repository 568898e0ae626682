// Names as people mistype them, the same ones every time for a seed.

/** A name with one mistake in it, and the code of the station that was meant. */
export interface MistypedName {
  readonly typed: string;
  readonly crs: string;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/** Shorter names with a mistake are often the beginning of others. */
const SHORTEST_NAME_LETTERS = 7;

/** For each name of seven letters or more, four: a letter too many, one missing, one wrong, two swapped. */
export function drawTypingMistakes(
  stations: readonly { readonly stationName: string; readonly crsCode: string }[],
  seed: number,
): readonly MistypedName[] {
  const random = createRandom(seed);
  return stations
    .filter(({ stationName }) => stationName.replace(/[^a-z]/gi, "").length >= SHORTEST_NAME_LETTERS)
    .flatMap(({ stationName, crsCode }) =>
      MISTAKES.map((mistake) => {
        const name = stationName.toLowerCase();
        const typed = drawUntil(
          () => mistake(name, Math.floor(random() * name.length), LETTERS[Math.floor(random() * 26)] ?? "a"),
          (drawn) => drawn !== name,
        );
        return { typed, crs: crsCode };
      }),
    );
}

type Mistake = (name: string, at: number, letter: string) => string;

const MISTAKES: readonly Mistake[] = [
  (name, at, letter) => name.slice(0, at) + letter + name.slice(at),
  (name, at) => name.slice(0, at) + name.slice(at + 1),
  (name, at, letter) => name.slice(0, at) + letter + name.slice(at + 1),
  (name, at) => name.slice(0, at) + name.slice(at + 1, at + 2) + name.slice(at, at + 1) + name.slice(at + 2),
];

/** Swapping two equal letters, or a letter for itself, is no mistake. */
function drawUntil(draw: () => string, isGood: (drawn: string) => boolean): string {
  for (;;) {
    const drawn = draw();
    if (isGood(drawn)) {
      return drawn;
    }
  }
}

/** Numbers from 0 to 1 by mulberry32, which is small and even enough for drawing samples. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

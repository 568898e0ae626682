// Names with typing mistakes, always the same for a seed.

/** A name with one mistake, and the code of the intended station. */
export interface MistypedName {
  readonly typed: string;
  readonly crs: string;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/** A shorter name with a mistake is often the beginning of another name. */
const SHORTEST_NAME_LETTERS = 7;

/**
 * Makes four mistyped names of each name of seven letters or more: a letter too many, one missing, one wrong, two
 * swapped.
 */
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

/** Draws again until the name has changed: swapping two equal letters changes nothing. */
function drawUntil(draw: () => string, isGood: (drawn: string) => boolean): string {
  for (;;) {
    const drawn = draw();
    if (isGood(drawn)) {
      return drawn;
    }
  }
}

/** Random numbers from 0 to 1 by mulberry32, which is small and even enough for samples. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

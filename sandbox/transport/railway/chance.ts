// Repeatable pseudo-random numbers: the same words give the same numbers in any process and on any machine.

/** A 32-bit hash of words: FNV-1a with a final mix, so that similar words give unrelated numbers. */
export function hash(...words: readonly (string | number)[]): number {
  let state = 0x81_1c_9d_c5;
  for (const word of words) {
    const text = typeof word === "string" ? word : String(word);
    for (let at = 0; at < text.length; at += 1) {
      state = Math.imul(state ^ text.charCodeAt(at), 0x01_00_01_93);
    }
    state = Math.imul(state ^ 0x2f, 0x01_00_01_93);
  }
  state = Math.imul(state ^ (state >>> 16), 0x85_eb_ca_6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2_b2_ae_35);
  return (state ^ (state >>> 16)) >>> 0;
}

/** Returns the next number, from 0 to below 1. */
export type Dice = () => number;

/** A generator (mulberry32) that the words seed. */
export function createDice(...words: readonly (string | number)[]): Dice {
  let state = hash(...words);
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

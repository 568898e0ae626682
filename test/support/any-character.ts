import * as fc from "fast-check";

const [FIRST_SURROGATE, SURROGATES, LAST] = [0xd800, 0x800, 0x10ffff];

/**
 * Any Unicode character, as the unit of `fc.string`. It is the same as fast-check's unit "binary", which takes
 * almost two seconds of processor time when it is first used in a process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: LAST - SURROGATES }).map(
  (number) => String.fromCodePoint(number < FIRST_SURROGATE ? number : number + SURROGATES),
  (text) => {
    const code = typeof text === "string" ? text.codePointAt(0) : undefined;
    if (typeof text !== "string" || code === undefined || String.fromCodePoint(code) !== text) {
      throw new Error("this is not one character");
    }
    return code < FIRST_SURROGATE ? code : code - SURROGATES;
  },
);

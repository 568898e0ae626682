/** Reads a whole number of the digits 0-9 and a-z: ids have more digits than a number holds. */
export function parseBase36(text: string): bigint {
  return Array.from(text).reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
}

// Writes bits, and numbers in the variable lengths that H.264 has for them.

export interface BitWriter {
  /** The lowest `count` bits of a number, the highest of them first. */
  bits(value: number, count: number): void;
  /** Exp-Golomb, for numbers from 0. */
  unsigned(value: number): void;
  /** Up to the next byte, with zeros. */
  align(): void;
  /** Only after `align`. */
  bytes(values: Iterable<number>): void;
  /** Ends with a one and zeros, as every unit does. */
  finish(): Uint8Array;
}

export function createBitWriter(): BitWriter {
  const bytes: number[] = [];
  let pending = 0;
  let pendingBits = 0;

  function bits(value: number, count: number): void {
    for (let at = count - 1; at >= 0; at -= 1) {
      pending = (pending << 1) | ((value >> at) & 1);
      pendingBits += 1;
      if (pendingBits === 8) {
        bytes.push(pending);
        pending = 0;
        pendingBits = 0;
      }
    }
  }

  function align(): void {
    if (pendingBits > 0) {
      bits(0, 8 - pendingBits);
    }
  }

  return {
    bits,
    unsigned(value) {
      const length = Math.floor(Math.log2(value + 1)) + 1;
      bits(0, length - 1);
      bits(value + 1, length);
    },
    align,
    bytes(values) {
      for (const value of values) {
        bytes.push(value);
      }
    },
    finish() {
      bits(1, 1);
      align();
      return Uint8Array.from(bytes);
    },
  };
}

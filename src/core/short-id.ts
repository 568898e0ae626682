// Ids of boards, watches and publications, short enough for a component's id and for a person to quote.
import { randomBytes } from "node:crypto";

/** 32 that are not mistaken for each other: a byte falls on each equally often. */
const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH = 8;

export function createShortId(): string {
  return Array.from(randomBytes(LENGTH), (byte) => LETTERS[byte % LETTERS.length] ?? "").join("");
}

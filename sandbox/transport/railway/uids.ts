// The uids of trains: a letter and five digits, scattered so that neighbouring trains have unrelated uids.
import { hash } from "./chance.ts";
import { RUN_KEYS } from "./runs.ts";

const UID_LETTERS = "CGLPQWXY";
const UIDS = UID_LETTERS.length * 100_000;
/** The factor that scatters keys. It is odd and not divisible by 5, so no two keys get the same uid. */
const SCATTER = 48_271;
/** The inverse of SCATTER: their product is 1 more than a multiple of `UIDS`. */
const GATHER = 171_631;

if (RUN_KEYS > UIDS) {
  throw new Error("There are more trains than uids");
}

/** Scattered, and shifted by the seed. */
export function uidOfKey(key: number, seed: number): string {
  const scattered = (key * SCATTER + (hash(seed, "uid") % UIDS)) % UIDS;
  const letter = UID_LETTERS[Math.floor(scattered / 100_000)] ?? "C";
  return letter + String(scattered % 100_000).padStart(5, "0");
}

/** `undefined` if the text is not the uid of a train. */
export function keyOfUid(uid: string, seed: number): number | undefined {
  const scattered = UID_LETTERS.indexOf(uid.slice(0, 1)) * 100_000 + Number(uid.slice(1));
  if (!/^[A-Z]\d{5}$/.test(uid) || scattered < 0) {
    return undefined;
  }
  const turned = (((scattered - (hash(seed, "uid") % UIDS)) % UIDS) + UIDS) % UIDS;
  const key = (turned * GATHER) % UIDS;
  return key < RUN_KEYS ? key : undefined;
}

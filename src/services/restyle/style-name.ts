// What styles are called, by services and by people.

/**
 * What a service calls a style: a lower-case word. Also what is taken where no catalogue says which there are. Two of
 * 32 characters and what else a button remembers fit a component's id.
 */
export const STYLE_WORD = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/** Longer than any name; what is longer is not looked at. */
const LONGEST_NAME = 80;

/** A name as it is compared: small letters and digits, without accents, e.g. `oilpaint` for "Oil paint". */
export function foldStyleName(name: string): string {
  return name
    .slice(0, LONGEST_NAME)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

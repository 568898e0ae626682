// Finds operators by what people type: a code, a name, the beginning of one, or nearly one.
import { typingDistance } from "../stations/typing-distance.ts";
import { type Operator, OPERATORS } from "./operator-list.ts";

/** The operator of exactly this code or name, or the only one whose name begins so; `undefined` otherwise. */
export function findOperator(typed: string): Operator | undefined {
  const text = plainName(typed);
  const exact =
    OPERATORS.find(({ code }) => plainName(code) === text) ??
    OPERATORS.find((operator) => operatorNames(operator).includes(text));
  if (exact || text.length < SHORTEST_BEGINNING) {
    return exact;
  }
  const [begins, ...others] = beginningWith(text);
  return others.length === 0 ? begins : undefined;
}

const SHORTEST_BEGINNING = 3;

/** The operators a person may mean, best first, for autocomplete; all of them for an empty text. */
export function suggestOperators(typed: string, limit: number): readonly Operator[] {
  const text = plainName(typed);
  const near = byDistance(text, text.length < 4 ? 0 : 2);
  const found = findOperator(text);
  return [...new Set([...(found ? [found] : []), ...beginningWith(text), ...near])].slice(0, limit);
}

/** As many operators as asked for, the most alike first, however far off the text is. */
export function nearestOperators(typed: string, count: number): readonly Operator[] {
  const text = plainName(typed);
  const begins = text === "" ? [] : beginningWith(text);
  return [...new Set([...begins, ...byDistance(text, Infinity), ...OPERATORS])].slice(0, count);
}

/** An operator's names in plain form, e.g. `lner` and `londonnortheasternrailway`. */
export function operatorNames({ name, aliases = [] }: Operator): readonly string[] {
  return [name, ...aliases].map(plainName);
}

/** A name without case, spaces and punctuation; only its first 60 characters count. */
export function plainName(text: string): string {
  return text
    .slice(0, 60)
    .toLowerCase()
    .replaceAll("&", "and")
    .replace(/[^a-z0-9]/g, "");
}

function beginningWith(text: string): readonly Operator[] {
  return OPERATORS.filter((operator) =>
    [operator.code.toLowerCase(), ...operatorNames(operator)].some((name) => name.startsWith(text)),
  );
}

/** A name that is whole is nearer than one that only begins alike. */
const UNFINISHED = 0.5;

function byDistance(text: string, mistakes: number): readonly Operator[] {
  const limit = Math.min(mistakes, Math.max(text.length, 2));
  const distance = (operator: Operator): number =>
    Math.min(
      ...operatorNames(operator).map((name) => {
        const { whole, prefix } = typingDistance(text, name, limit);
        return Math.min(whole, prefix + UNFINISHED);
      }),
    );
  return OPERATORS.map((operator) => ({ operator, off: distance(operator) }))
    .filter(({ off }) => off < Infinity)
    .toSorted((a, b) => a.off - b.off)
    .map(({ operator }) => operator);
}

// Finds operators by what people type: a code, a name or its beginning, even with typing mistakes.
import { typingDistance } from "../core/search-text.ts";
import type { TransportRow } from "../sources/transport-data.ts";
import { lineOf, matchLine, onlyBeginning } from "./london.ts";
import { UserError } from "../core/errors.ts";
import { listOr, quoteText } from "../core/text.ts";

/** The operator with exactly this code or name, or the only one whose name begins with it; `undefined` otherwise. */
export function findOperator(typed: string): Operator | undefined {
  const text = plainName(typed);
  return BY_NAME.get(text) ?? onlyBeginning(text, beginningWith);
}

/** The operators that a person may mean, best first, for autocomplete; all of them by name for an empty text. */
export function suggestOperators(typed: string): readonly Operator[] {
  const text = plainName(typed);
  const found = findOperator(text) ?? [];
  return [...new Set([found, beginningWith(text), byDistance(text)].flat())];
}

export function operatorChoice(operator: Operator) {
  return { name: operatorLabel(operator), value: operator.name };
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

/** How many characters of an operator's name a custom id carries; the longest on our list has 27 letters. */
export const OPERATOR_LIMIT = 36;

function beginningWith(text: string): readonly Operator[] {
  return OPERATORS.filter((operator) =>
    [operator.code.toLowerCase(), ...operatorNames(operator)].some((name) => name.startsWith(text)),
  );
}

/** More than for stations, because there are few operators; beyond a third, a similar name is a coincidence. */
function allowedMistakes(text: string): number {
  return text.length < 4 ? 0 : Math.floor(text.length / 3);
}

/** The extra distance of a name that only begins like the text. */
const UNFINISHED = 0.5;

function byDistance(text: string): readonly Operator[] {
  const limit = allowedMistakes(text);
  const distance = (operator: Operator): number => {
    const distances = operatorNames(operator).map((name) => typingDistance(text, name, limit));
    return Math.min(...distances.flatMap(({ whole, prefix }) => [whole, prefix + UNFINISHED]));
  };
  return OPERATORS.map((operator) => ({ operator, off: distance(operator) }))
    .filter(({ off }) => off < Infinity)
    .toSorted((a, b) => a.off - b.off)
    .map(({ operator }) => operator);
}

// Great Britain's train operators, for filters that people type. Maintained by hand; rows may name others.

interface Operator {
  readonly code: string;
  readonly name: string;
  /** Other names, in full or from earlier days. */
  readonly aliases?: readonly string[];
}

/** In the order of their names. */
export const OPERATORS: readonly Operator[] = [
  { code: "VT", name: "Avanti West Coast", aliases: ["Avanti", "Virgin Trains"] },
  { code: "CC", name: "c2c" },
  { code: "CS", name: "Caledonian Sleeper" },
  { code: "CH", name: "Chiltern Railways" },
  { code: "XC", name: "CrossCountry" },
  { code: "EM", name: "East Midlands Railway", aliases: ["EMR", "East Midlands Trains"] },
  { code: "XR", name: "Elizabeth line", aliases: ["TfL Rail", "Crossrail"] },
  { code: "ES", name: "Eurostar" },
  { code: "GX", name: "Gatwick Express" },
  { code: "GC", name: "Grand Central" },
  { code: "GN", name: "Great Northern" },
  { code: "GW", name: "Great Western Railway", aliases: ["GWR", "First Great Western"] },
  { code: "LE", name: "Greater Anglia", aliases: ["Abellio Greater Anglia"] },
  { code: "HX", name: "Heathrow Express" },
  { code: "HT", name: "Hull Trains" },
  { code: "IL", name: "Island Line" },
  { code: "GR", name: "LNER", aliases: ["London North Eastern Railway"] },
  { code: "LN", name: "London Northwestern Railway", aliases: ["LNR", "LNWR"] },
  { code: "LO", name: "London Overground", aliases: ["Overground"] },
  { code: "LD", name: "Lumo" },
  { code: "ME", name: "Merseyrail" },
  { code: "NT", name: "Northern", aliases: ["Northern Rail", "Northern Trains"] },
  { code: "SR", name: "ScotRail" },
  { code: "SW", name: "South Western Railway", aliases: ["SWR", "South West Trains"] },
  { code: "SE", name: "Southeastern" },
  { code: "SN", name: "Southern" },
  { code: "SX", name: "Stansted Express" },
  { code: "TL", name: "Thameslink" },
  { code: "TP", name: "TransPennine Express", aliases: ["TPE", "First TransPennine Express"] },
  { code: "AW", name: "Transport for Wales", aliases: ["TfW", "TfW Rail", "Arriva Trains Wales"] },
  { code: "LM", name: "West Midlands Railway", aliases: ["West Midlands Trains", "London Midland", "WMR"] },
];

/** Operators by their codes, names and labels, e.g. `Northern (NT)`, in plain form. */
const BY_NAME: ReadonlyMap<string, Operator> = new Map(
  OPERATORS.flatMap((operator) =>
    [plainName(operator.code), ...operatorNames(operator), plainName(operatorLabel(operator))].map(
      (name) => [name, operator] as const,
    ),
  ),
);

function operatorLabel({ name, code }: Operator): string {
  return `${name} (${code})`;
}

/** A key that is the same for all spellings of an operator's name. */
export function operatorKey(name = ""): string {
  const plain = plainName(name);
  return BY_NAME.get(plain)?.code ?? plain;
}

export type OperatorFilter = (row: TransportRow) => boolean;

/** The operator's name from the source, else from the list above, else its code; in London, the line's name. */
export function operatorName({
  line,
  operatorCode,
  operatorName: name,
}: Pick<TransportRow, "line" | "operatorCode" | "operatorName">): string | undefined {
  if (line !== undefined) {
    return lineOf(line, name).name;
  }
  return name ?? OPERATORS.find(({ code }) => code === operatorCode)?.name ?? operatorCode;
}

/**
 * Returns a filter for an operator's code or name, or the beginning of a single name. An operator that is not in the
 * list is accepted if one of `rows` names it. Otherwise throws a UserError that suggests similar ones.
 */
export function createOperatorFilter(typed: string, rows: readonly TransportRow[]): OperatorFilter {
  const filter = matchOperator(typed);
  if (plainName(typed) === "" || (!findOperator(typed) && !rows.some(filter))) {
    throw unknownOperator(typed);
  }
  return filter;
}

/** As {@link createOperatorFilter}, but for an unknown operator the filter accepts no row. */
export function matchOperator(typed: string): OperatorFilter {
  const text = plainName(typed);
  const operator = findOperator(typed);
  const codes = new Set([text, plainName(operator?.code ?? text)]);
  const names = new Set([text, ...(operator ? operatorNames(operator) : [])]);
  const isLine = matchLine(typed);
  return ({ line, operatorCode = "", operatorName: name = "" }) =>
    line !== undefined
      ? isLine({ line })
      : text !== "" && (codes.has(plainName(operatorCode)) || names.has(plainName(name)));
}

/** Returns an error that names up to three operators or `others` that resemble what was typed. */
export function unknownOperator(
  typed: string,
  what: "a train operator" | "an operator or line" = "a train operator",
  others: readonly string[] = [],
): UserError {
  const text = plainName(typed);
  const isNear = (name: string): boolean =>
    typingDistance(text, plainName(name), allowedMistakes(text)).prefix < Infinity;
  const near = [...suggestOperators(text).map(operatorLabel), ...others.filter(isNear)].slice(0, 3);
  const guess = text === "" || near.length === 0 ? "" : ` Did you mean ${listOr(near)}?`;
  return new UserError(
    `I don't know ${what} called “${quoteText(typed)}”.${guess} Pick one from the list as you type.`,
  );
}

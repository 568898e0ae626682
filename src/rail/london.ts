// London's lines and their names, and how to tell their stops from railway stations.
import { UserError } from "../core/errors.ts";
import { listAnd, quoteText } from "../core/text.ts";
import { lineName, londonLines } from "../sources/tfl/london-stops.ts";
import type { TransportRow } from "../sources/transport-data.ts";

/** The code of a railway station (three letters) or a London stop (7 to 12 letters and digits). */
export const PLACE_CODE = /^(?:[A-Z]{3}|[A-Z0-9]{7,12})$/;

export function isLondonCode(code: string): boolean {
  return code.length > 3;
}

export interface LineLabel {
  /** Transport for London's id, e.g. `hammersmith-city`. */
  readonly id: string;
  /** e.g. `Victoria line`, `DLR`. */
  readonly name: string;
}

/** A line by its id. A new line that is not in the list gets the source's `name`. */
export function lineOf(id: string, name = id): LineLabel {
  return LINES.find((line) => line.id === id) ?? { id, name };
}

const LINES: readonly LineLabel[] = londonLines.map(({ id, name, mode }) => ({
  id,
  name: lineName(name, mode),
}));

/** Whether a line belongs to London Overground, which the railway's sources list as an operator. */
export function isOverground(line: string | undefined): boolean {
  return londonLines.some(({ id, mode }) => id === line && mode === "overground");
}

/** With exactly this id or name, with or without “line”, or the only one whose name begins with the text. */
export function findLine(typed: string, among: readonly LineLabel[] = LINES): LineLabel | undefined {
  const text = plainLine(typed);
  const exact = among.find(({ id, name }) => [id, name].some((one) => plainLine(one) === text));
  return exact ?? onlyBeginning(text, () => among.filter(({ name }) => plainLine(name).startsWith(text)));
}

const SHORTEST_BEGINNING = 3;

/** The only one whose name begins with the text. A shorter text finds nothing, because a match would be a coincidence. */
export function onlyBeginning<T>(text: string, beginningWith: (text: string) => readonly T[]): T | undefined {
  const [begins, ...others] = text.length < SHORTEST_BEGINNING ? [] : beginningWith(text);
  return others.length === 0 ? begins : undefined;
}

/** As {@link findLine} among the lines of a stop. Throws a UserError that lists them if there is no such line. */
export function requireLine(typed: string, ids: readonly string[]): LineLabel {
  const lines = ids.map((id) => lineOf(id));
  const line = findLine(typed, lines);
  if (line === undefined) {
    throw new UserError(
      `No line called “${quoteText(typed)}” stops there. Pick ${lines.length === 1 ? "" : "one of "}${listAnd(lines.map(({ name }) => name))}, or leave it out to see everything.`,
    );
  }
  return line;
}

/** The lines that a person may mean, for autocomplete; all for an empty text. */
export function suggestLines(typed: string, among: readonly LineLabel[] = LINES): readonly LineLabel[] {
  const text = plainLine(typed);
  return among.filter(({ name }) => plainLine(name).includes(text));
}

export function matchLine(typed: string): (row: Pick<TransportRow, "line">) => boolean {
  const text = plainLine(findLine(typed)?.id ?? typed);
  return ({ line = "" }) => plainLine(line) === text;
}

function plainLine(text: string): string {
  return text
    .slice(0, 60)
    .toLowerCase()
    .replaceAll("&", "and")
    .replace(/\blines?\s*$/, "")
    .replace(/\band\b|[^a-z0-9]/g, "");
}

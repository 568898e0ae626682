// Which trains a person means who typed an operator's code or name.
import type { TransportRow } from "../../clients/transport/transport-board.ts";
import { UserError } from "../../core/errors.ts";
import { quoteText } from "../../core/quote-text.ts";
import { OPERATORS } from "./operator-list.ts";
import { findOperator, nearestOperators, operatorNames, plainName } from "./operators.ts";

/** Says whether a row is run by the operator asked for. */
export type OperatorFilter = (row: TransportRow) => boolean;

/** The operator's name as the service gives it, else as we know it, else its code. */
export function operatorName({
  operatorCode,
  operatorName: name,
}: Pick<TransportRow, "operatorCode" | "operatorName">): string | undefined {
  return name ?? OPERATORS.find(({ code }) => code === operatorCode)?.name ?? operatorCode;
}

/**
 * Makes a filter of what was typed: a code, a name, or the beginning of one name only. An operator that is not on our
 * list is known if one of `rows` names it; otherwise throws a UserError that names the three nearest.
 */
export function createOperatorFilter(typed: string, rows: readonly TransportRow[]): OperatorFilter {
  const filter = matchOperator(typed);
  if (plainName(typed) === "" || (!findOperator(typed) && !rows.some(filter))) {
    throw unknownOperator(typed);
  }
  return filter;
}

/** As {@link createOperatorFilter}, but lets nothing through where the operator is not known. */
export function matchOperator(typed: string): OperatorFilter {
  const text = plainName(typed);
  const operator = findOperator(typed);
  const codes = operator ? [plainName(operator.code), text] : [text];
  const names = operator ? [...operatorNames(operator), text] : [text];
  return ({ operatorCode, operatorName: name }) =>
    text !== "" && (codes.includes(plainName(operatorCode ?? "")) || names.includes(plainName(name ?? "")));
}

function unknownOperator(typed: string): UserError {
  const choice = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(
    nearestOperators(typed, 3).map(({ name, code }) => `${name} (${code})`),
  );
  return new UserError(
    `I don't know a train operator called “${quoteText(typed)}”. Did you mean ${choice}? Pick one from the list as you type.`,
  );
}

/** `operator` is a code beside an `operator_name` and in the public service, a name in the specification. */
export function readOperator({
  operator,
  operator_name: name,
}: {
  readonly operator?: string | undefined;
  readonly operator_name?: string | undefined;
}) {
  const isCode = name !== undefined || /^[A-Z0-9]{2}$/.test(operator ?? "");
  return { operatorCode: isCode ? operator : undefined, operatorName: isCode ? name : operator };
}

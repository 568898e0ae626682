// How large a command may be.
import { invalidForm } from "../errors.ts";

/** Names, descriptions and values of one command, the longest localisation counting. */
const MAX_CHARACTERS = 8000;

/** Throws 50035. */
export function refuseLongCommand(command: Counted): void {
  const characters = countCharacters(command);
  if (characters > MAX_CHARACTERS) {
    throw invalidForm([
      {
        path: [],
        code: "APPLICATION_COMMAND_TOO_LARGE",
        message: `Command exceeds maximum size (${MAX_CHARACTERS})`,
      },
    ]);
  }
}

interface Counted {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly value?: string | number | undefined;
  readonly name_localizations?: Readonly<Record<string, string>> | null | undefined;
  readonly description_localizations?: Readonly<Record<string, string>> | null | undefined;
  readonly options?: readonly Counted[] | null | undefined;
  readonly choices?: readonly Counted[] | null | undefined;
}

function countCharacters(part: Counted): number {
  const own =
    longest(part.name, part.name_localizations) +
    longest(part.description ?? "", part.description_localizations) +
    String(part.value ?? "").length;
  return [...(part.options ?? []), ...(part.choices ?? [])].reduce(
    (total, child) => total + countCharacters(child),
    own,
  );
}

function longest(text: string, others: Readonly<Record<string, string>> | null | undefined): number {
  return Math.max(text.length, ...Object.values(others ?? {}).map(({ length }) => length));
}

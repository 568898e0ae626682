// Takes secrets out of log lines.

/** What stands in a secret's place. */
const MASK = "[redacted]";

/** Shorter values are not looked for: they are part of every other word. No service gives out such keys. */
const MIN_SECRET_LENGTH = 4;

/** Fields that hold a credential whatever its value, and the names of such parameters in a URL. */
const SECRET_NAMES =
  "token|access_token|authorization|app_id|app_key|app_secret|api_key|x-app-id|x-app-key|x-api-key|apikey|appkey|secret|secret_key|password|cookie|set-cookie|signature";
const SECRET_FIELD = new RegExp(`^(?:${SECRET_NAMES})$`, "i");
const SECRET_PARAMETER = new RegExp(`\\b(${SECRET_NAMES})=[^&\\s"'<>]+`, "gi");

/** Discord's URLs carry an interaction's or a webhook's token: /webhooks/{id}/{token}, /interactions/{id}/{token}. */
const TOKEN_IN_PATH = /\/(webhooks|interactions)\/(\d+)\/[\w-]+/g;

/**
 * Makes what cleans a line of JSON: the given values disappear from every text and number in it, also where they
 * are percent-encoded or escaped, and fields that are named like credentials lose their value.
 */
export function createRedactor(secrets: readonly string[]): (line: string) => string {
  const patterns = secrets
    // No key begins or ends with a backslash, and to look for one would mean to try a run of them at each of its places.
    .map((secret) => secret.replaceAll(/^\\+|\\+$/g, ""))
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    // The longest first: one may begin with another.
    .toSorted((a, b) => b.length - a.length)
    .map(patternOf);
  const pattern = patterns.length > 0 ? new RegExp(patterns.join("|"), "gi") : undefined;

  return (line) => `${JSON.stringify(redactValue(JSON.parse(line)))}\n`;

  function redactText(text: string): string {
    const known = pattern ? text.replace(pattern, MASK) : text;
    return known.replace(SECRET_PARAMETER, `$1=${MASK}`).replace(TOKEN_IN_PATH, `/$1/$2/${MASK}`);
  }

  function redactValue(value: unknown): unknown {
    if (typeof value === "string") {
      return redactText(value);
    }
    if (typeof value === "number") {
      const text = String(value);
      return redactText(text) === text ? value : MASK;
    }
    if (Array.isArray(value)) {
      return value.map(redactValue);
    }
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          redactText(name),
          SECRET_FIELD.test(name) ? MASK : redactValue(inner),
        ]),
      );
    }
    return value;
  }
}

/** A backslash before an escaped character, itself percent-encoded where a whole text is. */
const ESCAPE = String.raw`(?:\\|%(?:25)*5c)`;
const BACKSLASHES = String.raw`(?:\\u005c|${ESCAPE})+`;

/**
 * Matches a secret with any of its characters as itself, percent-encoded (once or more), or escaped as in JSON (once or
 * more).
 *
 * A long run of backslashes is read once for each attempt at a match, and no attempt begins with one: so the work grows
 * with the length of the text, and not with its square. For this, as many backslashes as there are count as one.
 */
function patternOf(secret: string): string {
  const parts = secret.match(/\\+|[^\\]/gu) ?? [];
  return parts
    .map((part, index) => {
      if (part.startsWith("\\")) {
        return BACKSLASHES;
      }
      const isAfterBackslashes = index === 0 || parts[index - 1]?.startsWith("\\");
      return `${isAfterBackslashes ? "" : `${ESCAPE}*`}${characterPattern(part)}`;
    })
    .join("");
}

function characterPattern(character: string): string {
  const bytes = Array.from(new TextEncoder().encode(character), (byte) => `%(?:25)*${hexPattern(byte, 2)}`);
  const units = Array.from(
    { length: character.length },
    (_, index) => `u${hexPattern(character.charCodeAt(index), 4)}`,
  );
  const forms = [
    // First: a percent sign by itself is also the beginning of one that is encoded.
    bytes.join(""),
    escapePattern(character),
    escaped(units.join(`${ESCAPE}+`)),
    ...(SHORT_FORMS[character] ?? []),
  ];
  return `(?:${forms.join("|")})`;
}

/** The backslashes have been read already. */
function escaped(pattern: string): string {
  return `(?<=${ESCAPE})${pattern}`;
}

/** A space in a form; what JSON writes with a letter. */
const SHORT_FORMS: Readonly<Record<string, readonly string[]>> = {
  " ": [String.raw`\+`],
  "\n": [escaped("n")],
  "\r": [escaped("r")],
  "\t": [escaped("t")],
  "\b": [escaped("b")],
  "\f": [escaped("f")],
};

function hexPattern(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

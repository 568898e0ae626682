// What members can read, as the code has it: literals of more than one word, from the folders that speak to members.
// `node test/support/sentences.ts [folder …]` prints them for a reader.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface Sentence {
  readonly file: string;
  readonly line: number;
  /** With `{}` for what is filled in. */
  readonly text: string;
  /** Whether it stands where Discord shows text as it is: a description, a label, the picture of a board. */
  readonly isPlain: boolean;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SPEAKING = [
  "commands",
  "src/boards",
  "src/delivery",
  "src/operations",
  "src/pictures",
  "src/plan",
  "src/rail",
  "src/sources",
  "src/time",
  "src/travel",
  "src/videos",
  "src/watches",
  "src/discord",
  "src/core/attachments.ts",
];
/** What these write goes to a service, to the database, to the log or to the operator. */
const SILENT =
  /-table\.ts$|\/client\/|\/transport-api\/|compose\.ts$|\/discord\/(?!admission|dispatch\/|explain-error|guild-rights|message-dispatch\/|reply\.ts|who-may)/;
/** What stands before a literal that members do not read. */
const UNREAD =
  /(?:\blog\.\w+\([^)]*|new (?!User|UnknownStation)\w*Error\([^)]*|super\(|\bsql`?[^`]*|\bfrom )$/;
const PLAIN =
  /(?:\b(?:description|label|placeholder|title|name|value|hint|notice): (?:\[[^\]]*|\w+ \? (?:"[^"]*" : )?)?|\bfield\([^)]*|buttonTo\(|menu\([^)]*)$/;

/** Of the folders that speak to members, or of those given. */
export function sentences(folders: readonly string[] = SPEAKING): readonly Sentence[] {
  return folders
    .flatMap((folder) =>
      globSync(folder.endsWith(".ts") ? folder : `${folder}/**/*.ts`, { cwd: ROOT }).toSorted(),
    )
    .filter((file) => !SILENT.test(file))
    .flatMap((file) => sentencesOf(file, readFileSync(`${ROOT}${file}`, "utf8")));
}

export function sentencesOf(file: string, source: string): readonly Sentence[] {
  return literalsOf(source).flatMap(({ start, text }) => {
    const before = source.slice(Math.max(0, start - 120), start);
    return /\p{L}{2,}[^\p{L}]* [^\p{L}]*\p{L}{2,}/u.test(text) && !UNREAD.test(before)
      ? [{ file, line: source.slice(0, start).split("\n").length, text, isPlain: PLAIN.test(before) }]
      : [];
  });
}

interface Literal {
  readonly start: number;
  readonly text: string;
}

/** After these a slash begins a regular expression. */
const BEFORE_PATTERN = /(?:[(,=:[!&|?{};>]|\breturn|\btypeof|^)\s*$/;
const TOKEN = /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`|[{}]|\//g;
const PATTERN = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y;

/** The literals of a source: what a template fills in is `{}`, and the literals in it come by themselves. */
function literalsOf(source: string): readonly Literal[] {
  const found: Literal[] = [];
  /** The templates that are open: where each began, and what it says so far; a brace of code is `undefined`. */
  const open: ({ readonly start: number; text: string } | undefined)[] = [];
  let at = 0;
  while (at < source.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(source);
    if (!match) {
      break;
    }
    const [token] = match;
    const { index } = match;
    at = index + token.length;
    if (token === "`") {
      at = readTemplate(source, { start: index, text: "" }, at, open, found);
    } else if (token === "{") {
      open.push(undefined);
    } else if (token === "}") {
      const template = open.pop();
      at = template ? readTemplate(source, template, at, open, found) : at;
    } else if (token === "/") {
      PATTERN.lastIndex = index;
      at =
        BEFORE_PATTERN.test(source.slice(Math.max(0, index - 20), index)) && PATTERN.test(source)
          ? PATTERN.lastIndex
          : at;
    } else if (token.startsWith('"')) {
      found.push({ start: index, text: token.slice(1, -1).replaceAll("\\n", "\n") });
    }
  }
  return found;
}

/** Reads a template up to its end, or to what it fills in. */
function readTemplate(
  source: string,
  template: { readonly start: number; text: string },
  from: number,
  open: ({ readonly start: number; text: string } | undefined)[],
  found: Literal[],
): number {
  const part = /(?:[^`\\$]|\\.|\$(?!\{))*/y;
  part.lastIndex = from;
  const [said = ""] = part.exec(source) ?? [];
  template.text += said.replaceAll("\\n", "\n").replaceAll("\\`", "`");
  const end = from + said.length;
  if (source[end] === "$") {
    template.text += "{}";
    open.push(template);
    return end + 2;
  }
  found.push({ start: template.start, text: template.text });
  return end + 1;
}

if (import.meta.main) {
  const folders = process.argv.slice(2);
  for (const { file, line, text } of sentences(folders.length > 0 ? folders : undefined)) {
    process.stdout.write(`${file}:${line}\t${text.replaceAll("\n", " / ")}\n`);
  }
}

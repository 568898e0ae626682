// Lists the sentences that members can read: literals of more than one word in the folders that speak to members. `node
// test/support/sentences.ts [folder …]` prints them.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAst } from "vite";

export interface Sentence {
  readonly file: string;
  readonly line: number;
  /** Filled-in values are written as `{}`. */
  readonly text: string;
  /** Whether Discord shows it without Markdown: a description, a label, the picture of a board. */
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
/** Files whose literals go to a service, the database, the log or the operator. */
const SILENT =
  /-table\.ts$|\/client\/|\/sources\/[\w-]+\/|compose\.ts$|\/discord\/(?!admission|dispatch\/|explain-error|guild-rights|message-dispatch\/|reply\.ts|command-permissions)/;
/** The code before a literal that members do not read. */
const UNREAD =
  /(?:\blog\.\w+\([^)]*|new (?!User|UnknownStation)\w*Error\([^)]*|super\(|\bsql`?[^`]*|\bfrom )$/;
const PLAIN =
  /(?:\b(?:description|label|placeholder|title|name|value|hint|notice): (?:\[[^\]]*|\w+ \? (?:"[^"]*" : )?)?|\bfield\([^)]*|buttonTo\(|menu\([^)]*)$/;

/** Lists the sentences of the folders that speak to members, or of the given ones. */
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

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value;

/**
 * The literals of a source. In a template, filled-in values are `{}`; literals inside it are listed separately, before
 * it.
 */
function literalsOf(source: string): readonly Literal[] {
  const found: Literal[] = [];
  function visit(node: Node): void {
    Object.values(node).flat().filter(isNode).forEach(visit);
    if (node.type === "Literal" && typeof node["value"] === "string") {
      found.push({ start: node.start, text: node["value"] });
    } else if (node.type === "TemplateLiteral") {
      const quasis = node["quasis"] as readonly { readonly value: { readonly cooked: string } }[];
      found.push({ start: node.start, text: quasis.map(({ value }) => value.cooked).join("{}") });
    }
  }
  visit(parseAst(source, { lang: "ts" }) as unknown as Node);
  return found;
}

if (import.meta.main) {
  const folders = process.argv.slice(2);
  for (const { file, line, text } of sentences(folders.length > 0 ? folders : undefined)) {
    process.stdout.write(`${file}:${line}\t${text.replaceAll("\n", " / ")}\n`);
  }
}

// Reads reasons and stations' messages, which may contain markup.
import { escapeMarkdown, markdownLink } from "../../core/reply.ts";
import { INVISIBLE, oneLine } from "../../core/text.ts";

/** In characters; the longest known reasons have about 150. */
const REASON_LIMIT = 300;
const MESSAGE_LIMIT = 1_000;

/** The first of `texts` that is not empty, as one line of plain text. */
export function readReason(...texts: readonly (string | undefined)[]): string | undefined {
  for (const text of texts) {
    const line = oneLine(decodeEntities(withoutTags(text ?? "")), REASON_LIMIT);
    if (line !== "") {
      return line;
    }
  }
  return undefined;
}

/** A link. Its address is read with a second pattern: a single one would try every combination of ends of its parts. */
const LINK = /<a\b([^<>]*)>([\s\S]*?)<\/a\s*>/gi;
const ADDRESS = /\bhref\s*=\s*["']?([^"'\s]*)/i;

/** One line of escaped Markdown, in which only links to National Rail remain links. Empty without text. */
export function readMessage(html: string): string {
  const text = html.slice(0, 4 * MESSAGE_LIMIT);
  let markdown = "";
  let from = 0;
  for (const { 0: whole, 1: attributes = "", 2: label = "", index } of text.matchAll(LINK)) {
    const href = ADDRESS.exec(attributes)?.[1] ?? "";
    markdown += plain(text.slice(from, index)) + linkTo(decodeEntities(href), plain(label));
    from = index + whole.length;
  }
  return `${markdown}${plain(text.slice(from))}`.replace(/ +/g, " ").trim();
}

/** The text of HTML, escaped for Markdown. A space at either end stays, because it may separate the text from a link. */
function plain(html: string): string {
  const text = decodeEntities(withoutTags(html)).replace(INVISIBLE, " ");
  return escapeMarkdown(text.length > MESSAGE_LIMIT ? `${text.slice(0, MESSAGE_LIMIT)}…` : text);
}

function linkTo(href: string, label: string): string {
  const url = URL.parse(href);
  const isKept =
    url?.protocol === "https:" &&
    /^(?:[a-z\d-]+\.)*nationalrail\.co\.uk$/.test(url.hostname) &&
    url.username === "" &&
    url.href.length <= 300;
  const words = label.trim();
  return isKept && words !== "" ? markdownLink(words, url.href) : label;
}

/** A tag contains no "<": otherwise, the time for broken tags would grow with the square of the length. */
function withoutTags(html: string): string {
  return html.replace(/<\/?[a-z!][^<>]*>/gi, " ");
}

/** The HTML entities that messages use, and similar ones. Unknown entities stay unchanged. */
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  bull: "•",
  gt: ">",
  hellip: "…",
  ldquo: "“",
  lsquo: "‘",
  lt: "<",
  mdash: "—",
  nbsp: " ",
  ndash: "–",
  pound: "£",
  quot: '"',
  rdquo: "”",
  rsquo: "’",
};

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === "string") {
      return NAMED[name.toLowerCase()] ?? whole;
    }
    const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

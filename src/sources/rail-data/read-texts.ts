// Reads texts that come with markup: reasons, and the messages of stations.
import { escapeMarkdown, markdownLink } from "../../core/reply.ts";
import { INVISIBLE, oneLine } from "../../core/text.ts";

/** Limit for one sentence; the longest known reasons have some 150 characters. */
const REASON_LIMIT = 300;
const MESSAGE_LIMIT = 1_000;

/** Why a train is late or cancelled, as one line of plain text: the first of `texts` that is not empty. */
export function readReason(...texts: readonly (string | undefined)[]): string | undefined {
  for (const text of texts) {
    const line = oneLine(decodeEntities(withoutTags(text ?? "")), REASON_LIMIT);
    if (line !== "") {
      return line;
    }
  }
  return undefined;
}

/** The address is looked for afterwards: one pattern for all would try every end of each part with every end of the others. */
const LINK = /<a\b([^<>]*)>([\s\S]*?)<\/a\s*>/gi;
const ADDRESS = /\bhref\s*=\s*["']?([^"'\s]*)/i;

/**
 * Returns a station's message as one line of Markdown, empty if it has no text. The text is escaped, and only links to
 * National Rail are kept.
 */
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

/** Keeps a space at either end, because it separates the text from a link. */
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

/** No tag has another in it: without that, a text of broken ones would take time with the square of its length. */
function withoutTags(html: string): string {
  return html.replace(/<\/?[a-z!][^<>]*>/gi, " ");
}

/** HTML entities that were seen, and similar ones; an unknown entity stays as it is. */
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

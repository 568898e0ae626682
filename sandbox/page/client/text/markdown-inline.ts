// Parses the inside of a paragraph of Discord's markdown: emphasis, code, links, timestamps, mentions. Pure.

export type Inline =
  | { readonly type: "text" | "code"; readonly text: string }
  | {
      readonly type: "strong" | "emphasis" | "underline" | "strike" | "spoiler";
      readonly children: readonly Inline[];
    }
  | { readonly type: "link"; readonly url: string; readonly children: readonly Inline[] }
  | { readonly type: "timestamp"; readonly seconds: number; readonly style: string }
  | { readonly type: "mention"; readonly kind: "user" | "role" | "channel"; readonly id: string }
  | { readonly type: "everyone"; readonly name: string }
  | { readonly type: "command"; readonly name: string; readonly id: string };

/** The maximum nesting, which no real message reaches. Anything deeper stays text. */
const MAX_DEPTH = 8;

interface Rule {
  /** Sticky. `read` gets its groups, or the whole match if it has none. */
  readonly pattern: RegExp;
  readonly read: (groups: readonly string[], depth: number) => Inline;
}

const MENTION_KINDS: Readonly<Record<string, "role" | "channel">> = { "@&": "role", "#": "channel" };

const pair = (pattern: RegExp, type: "strong" | "emphasis" | "underline" | "strike" | "spoiler"): Rule => ({
  pattern,
  read: ([inside = ""], depth) => ({ type, children: parseInline(inside, depth + 1) }),
});

/** The first rule that matches applies, so `**` comes before `*`. */
const RULES: readonly Rule[] = [
  // A run of characters with which no other rule begins.
  { pattern: /[^\\`<@h[*_~|]+/y, read: ([text = ""]) => ({ type: "text", text }) },
  { pattern: /\\([^\sA-Za-z0-9])/y, read: ([text = ""]) => ({ type: "text", text }) },
  { pattern: /``([^]+?)``/y, read: ([text = ""]) => ({ type: "code", text }) },
  { pattern: /`([^`]+)`/y, read: ([text = ""]) => ({ type: "code", text }) },
  {
    pattern: /<t:(-?\d{1,12})(?::([tTdDfFsSR]))?>/y,
    read: ([seconds, style = "f"]) => ({ type: "timestamp", seconds: Number(seconds), style }),
  },
  {
    pattern: /<(@!?|@&|#)(\d{1,20})>/y,
    read: ([sign = "", id = ""]) => ({ type: "mention", kind: MENTION_KINDS[sign] ?? "user", id }),
  },
  {
    pattern: /<\/([-_ \p{L}\p{N}]{1,98}):(\d{1,20})>/uy,
    read: ([name = "", id = ""]) => ({ type: "command", name, id }),
  },
  { pattern: /@(everyone|here)\b/y, read: ([name = ""]) => ({ type: "everyone", name }) },
  {
    pattern: /\[([^\]\n]{1,400})\]\(<?(https?:\/\/[^\s)>]{1,2000})>?(?: "[^"\n]*")?\)/y,
    read: ([words = "", url = ""]) => ({ type: "link", url, children: parseInline(words, MAX_DEPTH - 1) }),
  },
  {
    pattern: /<?(https?:\/\/[^\s<>]{1,2000}[^\s<>.,:;!?'")\]])>?/y,
    read: ([url = ""]) => ({ type: "link", url, children: [{ type: "text", text: url }] }),
  },
  // In `***both***`, the outer pair closes last. `2 * 3 * 4` and `snake_case_names` are not emphasis.
  pair(/\*\*(?=\S)((?:\\[^]|[^\\])+?)\*\*(?!\*)/y, "strong"),
  pair(/__(?=\S)((?:\\[^]|[^\\])+?)__(?!_)/y, "underline"),
  pair(/~~(?=\S)((?:\\[^]|[^\\])+?)~~/y, "strike"),
  pair(/\|\|(?=\S)((?:\\[^]|[^\\])+?)\|\|/y, "spoiler"),
  pair(/\*(?=\S)((?:\\[^]|\*\*|[^\\*])+?)\*(?!\*)/y, "emphasis"),
  pair(/(?<!\w)_(?=\S)((?:\\[^]|__|[^\\_])+?)_(?!\w)/y, "emphasis"),
  { pattern: /[^]/y, read: ([text = ""]) => ({ type: "text", text }) },
];

/** Never fails: text that is not markdown stays as it was typed. */
export function parseInline(text: string, depth = 0): Inline[] {
  if (depth >= MAX_DEPTH) {
    return [{ type: "text", text }];
  }
  const nodes: Inline[] = [];
  for (let at = 0; at < text.length;) {
    const { node, end } = readAt(text, at, depth);
    const before = nodes.at(-1);
    if (node.type === "text" && before?.type === "text") {
      nodes[nodes.length - 1] = { type: "text", text: before.text + node.text };
    } else {
      nodes.push(node);
    }
    at = end;
  }
  return nodes;
}

function readAt(text: string, at: number, depth: number): { readonly node: Inline; readonly end: number } {
  for (const { pattern, read } of RULES) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) {
      const [whole, ...groups] = found;
      return { node: read(groups.length === 0 ? [whole] : groups, depth), end: at + whole.length };
    }
  }
  throw new RangeError(`Nothing is left to read at ${at}.`);
}

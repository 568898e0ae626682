// What stands inside a paragraph of Discord's markdown: emphasis, code, links, timestamps, mentions. Pure.

export type Inline =
  | { readonly type: "text" | "code"; readonly text: string }
  | {
      readonly type: "strong" | "emphasis" | "underline" | "strike" | "spoiler";
      readonly children: readonly Inline[];
    }
  | { readonly type: "link"; readonly url: string; readonly children: readonly Inline[] }
  | { readonly type: "timestamp"; readonly seconds: number; readonly style: string }
  | { readonly type: "mention"; readonly kind: "user" | "role" | "channel"; readonly id: string }
  | { readonly type: "everyone"; readonly name: "everyone" | "here" }
  | { readonly type: "command"; readonly name: string; readonly id: string };

interface Found {
  readonly node: Inline;
  /** Where the text goes on. */
  readonly end: number;
}

/** Deeper than this nobody means it; the rest stays text. */
const MAX_DEPTH = 8;

/** Longest first: `**` before `*`. */
const PAIRS = [
  ["**", "strong"],
  ["__", "underline"],
  ["~~", "strike"],
  ["||", "spoiler"],
  ["*", "emphasis"],
  ["_", "emphasis"],
] as const;

const ESCAPED = /\\([^\sA-Za-z0-9])/y;
const TIMESTAMP = /<t:(-?\d{1,12})(?::([tTdDfFsSR]))?>/y;
const MENTION = /<(@!?|@&|#)(\d{1,20})>/y;
const EVERYONE = /@(everyone|here)\b/y;
const COMMAND = /<\/([-_ \p{L}\p{N}]{1,98}):(\d{1,20})>/uy;
const LINK = /\[([^\]\n]{1,400})\]\(<?(https?:\/\/[^\s)>]{1,2000})>?(?: "[^"\n]*")?\)/y;
const BARE_LINK = /<?(https?:\/\/[^\s<>]{1,2000}[^\s<>.,:;!?'")\]])>?/y;

/** Reads what stands within a paragraph. Every text has a reading: what is not markdown stays as it was typed. */
export function parseInline(text: string, depth = 0): Inline[] {
  const nodes: Inline[] = [];
  let plain = "";
  const flush = () => {
    if (plain !== "") {
      nodes.push({ type: "text", text: plain });
      plain = "";
    }
  };
  for (let at = 0; at < text.length;) {
    const escaped = matchAt(ESCAPED, text, at);
    const found = escaped === undefined ? readNode(text, at, depth) : undefined;
    if (found !== undefined) {
      flush();
      nodes.push(found.node);
      at = found.end;
    } else {
      plain += escaped?.[1] ?? text.charAt(at);
      at += escaped?.[0].length ?? 1;
    }
  }
  flush();
  return nodes;
}

/** `pattern` is sticky. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function readNode(text: string, at: number, depth: number): Found | undefined {
  switch (text.charAt(at)) {
    case "`":
      return readCode(text, at);
    case "<":
      return readAngle(text, at) ?? readBareLink(text, at);
    case "@":
      return readEveryone(text, at);
    case "h":
      return readBareLink(text, at);
    case "[":
      return readLink(text, at, depth);
    default:
      return readPair(text, at, depth);
  }
}

function readCode(text: string, at: number): Found | undefined {
  const fence = text.startsWith("``", at) ? "``" : "`";
  const from = at + fence.length;
  const close = text.indexOf(fence, from);
  return close <= from
    ? undefined
    : { node: { type: "code", text: text.slice(from, close) }, end: close + fence.length };
}

function readEveryone(text: string, at: number): Found | undefined {
  const found = matchAt(EVERYONE, text, at);
  return found === undefined
    ? undefined
    : {
        node: { type: "everyone", name: found[1] === "here" ? "here" : "everyone" },
        end: at + found[0].length,
      };
}

function readAngle(text: string, at: number): Found | undefined {
  const time = matchAt(TIMESTAMP, text, at);
  if (time !== undefined) {
    const node = { type: "timestamp", seconds: Number(time[1]), style: time[2] ?? "f" } as const;
    return { node, end: at + time[0].length };
  }
  const mention = matchAt(MENTION, text, at);
  if (mention !== undefined) {
    const kind = mention[1] === "#" ? "channel" : mention[1] === "@&" ? "role" : "user";
    return { node: { type: "mention", kind, id: mention[2] ?? "" }, end: at + mention[0].length };
  }
  const command = matchAt(COMMAND, text, at);
  return command === undefined
    ? undefined
    : {
        node: { type: "command", name: command[1] ?? "", id: command[2] ?? "" },
        end: at + command[0].length,
      };
}

function readBareLink(text: string, at: number): Found | undefined {
  const link = matchAt(BARE_LINK, text, at);
  if (link?.[1] === undefined) {
    return undefined;
  }
  const url = link[1];
  return { node: { type: "link", url, children: [{ type: "text", text: url }] }, end: at + link[0].length };
}

function readLink(text: string, at: number, depth: number): Found | undefined {
  const link = depth < MAX_DEPTH ? matchAt(LINK, text, at) : undefined;
  return link?.[1] === undefined || link[2] === undefined
    ? undefined
    : {
        node: { type: "link", url: link[2], children: parseInline(link[1], MAX_DEPTH - 2) },
        end: at + link[0].length,
      };
}

function readPair(text: string, at: number, depth: number): Found | undefined {
  if (depth >= MAX_DEPTH) {
    return undefined;
  }
  for (const [mark, type] of PAIRS) {
    const from = at + mark.length;
    const close = text.startsWith(mark, at) ? closingOf(text, mark, from) : -1;
    // `snake_case_names` and `2 * 3 * 4` are nobody's emphasis.
    const isMeant =
      close > from && !/\s/.test(text.charAt(from)) && !(mark === "_" && isInsideWord(text, at, close));
    if (isMeant) {
      return {
        node: { type, children: parseInline(text.slice(from, close), depth + 1) },
        end: close + mark.length,
      };
    }
  }
  return undefined;
}

/** Where the mark closes, an escaped one passed over; -1 if nowhere. */
function closingOf(text: string, mark: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") {
      at += 1;
    } else if (text.startsWith(mark, at)) {
      const isDoubled = mark.length === 1 && text[at + 1] === mark;
      if (!isDoubled) {
        // In `***both***` the outer pair closes last.
        return mark.length === 2 && text[at + 2] === mark[0] ? at + 1 : at;
      }
      at += 1;
    }
  }
  return -1;
}

function isInsideWord(text: string, open: number, close: number): boolean {
  return /\w/.test(text.charAt(open - 1)) || /\w/.test(text.charAt(close + 1));
}

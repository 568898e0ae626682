// What stands inside a line of Discord's markdown: emphasis, code, links, timestamps, mentions. Pure.

/**
 * @typedef {{ type: "text" | "code", text: string }
 *   | { type: "strong" | "emphasis" | "underline" | "strike" | "spoiler", children: Inline[] }
 *   | { type: "link", url: string, children: Inline[] }
 *   | { type: "timestamp", seconds: number, style: string }
 *   | { type: "mention", kind: "user" | "role" | "channel", id: string }
 *   | { type: "command", name: string, id: string }} Inline
 */

/** Deeper than this nobody means it; the rest stays text. */
const MAX_DEPTH = 8;

/** Longest first: `**` before `*`. */
const PAIRS = /** @type {const} */ ([
  ["**", "strong"],
  ["__", "underline"],
  ["~~", "strike"],
  ["||", "spoiler"],
  ["*", "emphasis"],
  ["_", "emphasis"],
]);

const ESCAPED = /\\([^\sA-Za-z0-9])/y;
const TIMESTAMP = /<t:(-?\d{1,12})(?::([tTdDfFsSR]))?>/y;
const MENTION = /<(@!?|@&|#)(\d{1,20})>/y;
const COMMAND = /<\/([-_ \p{L}\p{N}]{1,98}):(\d{1,20})>/uy;
const LINK = /\[([^\]\n]{1,400})\]\(<?(https?:\/\/[^\s)>]{1,2000})>?(?: "[^"\n]*")?\)/y;
const BARE_LINK = /<?(https?:\/\/[^\s<>]{1,2000}[^\s<>.,:;!?'")\]])>?/y;

/**
 * Reads what stands within a line.
 * @param {string} text
 * @param {number} [depth]
 * @returns {Inline[]}
 */
export function parseInline(text, depth = 0) {
  /** @type {Inline[]} */
  const nodes = [];
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

/**
 * @param {RegExp} pattern sticky
 * @param {string} text
 * @param {number} at
 * @returns {RegExpExecArray | undefined}
 */
function matchAt(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/**
 * @param {string} text
 * @param {number} at
 * @param {number} depth
 * @returns {{ node: Inline, end: number } | undefined}
 */
function readNode(text, at, depth) {
  switch (text.charAt(at)) {
    case "`":
      return readCode(text, at);
    case "<":
      return readAngle(text, at) ?? readBareLink(text, at);
    case "h":
      return readBareLink(text, at);
    case "[":
      return readLink(text, at, depth);
    default:
      return readPair(text, at, depth);
  }
}

/**
 * @param {string} text
 * @param {number} at
 * @returns {{ node: Inline, end: number } | undefined}
 */
function readCode(text, at) {
  const fence = text.startsWith("``", at) ? "``" : "`";
  const close = text.indexOf(fence, at + fence.length);
  return close <= at + fence.length
    ? undefined
    : {
        node: { type: "code", text: text.slice(at + fence.length, close) },
        end: close + fence.length,
      };
}

/**
 * @param {string} text
 * @param {number} at
 * @returns {{ node: Inline, end: number } | undefined}
 */
function readAngle(text, at) {
  const time = matchAt(TIMESTAMP, text, at);
  if (time !== undefined) {
    return {
      node: { type: "timestamp", seconds: Number(time[1]), style: time[2] ?? "f" },
      end: at + time[0].length,
    };
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

/**
 * @param {string} text
 * @param {number} at
 * @returns {{ node: Inline, end: number } | undefined}
 */
function readBareLink(text, at) {
  const link = matchAt(BARE_LINK, text, at);
  if (link?.[1] === undefined) {
    return undefined;
  }
  const url = link[1];
  return {
    node: { type: "link", url, children: [{ type: "text", text: url }] },
    end: at + link[0].length,
  };
}

/**
 * @param {string} text
 * @param {number} at
 * @param {number} depth
 * @returns {{ node: Inline, end: number } | undefined}
 */
function readLink(text, at, depth) {
  const link = depth < MAX_DEPTH ? matchAt(LINK, text, at) : undefined;
  return link?.[1] === undefined || link[2] === undefined
    ? undefined
    : {
        node: { type: "link", url: link[2], children: parseInline(link[1], MAX_DEPTH - 2) },
        end: at + link[0].length,
      };
}

/**
 * @param {string} text
 * @param {number} at
 * @param {number} depth
 * @returns {{ node: Inline, end: number } | undefined}
 */
function readPair(text, at, depth) {
  if (depth >= MAX_DEPTH) {
    return undefined;
  }
  for (const [mark, type] of PAIRS) {
    const from = at + mark.length;
    const close = text.startsWith(mark, at) ? closingOf(text, mark, from) : -1;
    // `snake_case_names` and `2 * 3 * 4` are nobody's emphasis.
    const isMeant =
      close > from && !/\s/.test(text.charAt(from)) && !(mark === "_" && insideWord(text, at, close));
    if (isMeant) {
      return {
        node: { type, children: parseInline(text.slice(from, close), depth + 1) },
        end: close + mark.length,
      };
    }
  }
  return undefined;
}

/**
 * Where the mark closes, an escaped one passed over; -1 if nowhere.
 * @param {string} text
 * @param {string} mark
 * @param {number} from
 */
function closingOf(text, mark, from) {
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

/**
 * @param {string} text
 * @param {number} open
 * @param {number} close
 */
function insideWord(text, open, close) {
  return /\w/.test(text.charAt(open - 1)) || /\w/.test(text.charAt(close + 1));
}

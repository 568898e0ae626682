// The words of a JSON text, for its colours. Pure.

export interface JsonToken {
  readonly kind: "key" | "string" | "number" | "word" | "rest";
  readonly text: string;
}

const WORDS = /("(?:\\.|[^"\\])*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;

/** Together they are the text again, to the letter. */
export function jsonTokens(text: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  let end = 0;
  const rest = (until: number) => {
    if (until > end) {
      tokens.push({ kind: "rest", text: text.slice(end, until) });
    }
  };
  for (const match of text.matchAll(WORDS)) {
    const [whole, quoted, colon] = match;
    rest(match.index);
    const word = quoted ?? whole;
    tokens.push({ kind: kindOf(word, colon !== undefined), text: word });
    end = match.index + word.length;
  }
  rest(text.length);
  return tokens;
}

function kindOf(word: string, isKey: boolean): JsonToken["kind"] {
  if (word.startsWith('"')) {
    return isKey ? "key" : "string";
  }
  return /^[tfn]/.test(word) ? "word" : "number";
}

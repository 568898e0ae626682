// Finds the picture in an answer: by what a value is, not by what its field is called.
import { type Fields, isFields } from "./answer-fields.ts";

/** A picture, or where to fetch it. */
export type FoundPicture =
  | { readonly kind: "picture"; readonly bytes: Uint8Array }
  | { readonly kind: "link"; readonly url: URL };

/**
 * Where pictures stand, lists and wrappers among them, in the order of trust: bytes before links, and `image` last,
 * because some services repeat the original there. Addresses elsewhere (a job's, a help page's) are not pictures.
 */
const PICTURE_KEYS = [
  "b64_json",
  "base64",
  "result_b64",
  "imageBase64",
  "output_url",
  "result_url",
  "resultUrl",
  "url",
  "image_url",
  "imageUrl",
  "sample",
  "output",
  "outputs",
  "result",
  "generated",
  "artifacts",
  "images",
  "data",
  "response",
  "image",
] as const;

const DEEPEST = 6;
const MOST_ENTRIES = 16;
/** Signed links have some hundred characters. */
const LONGEST_LINK = 4096;

/** Searches an answer. `isRunning`: a `result_url` is then the place where the result will be, not a picture. */
export function findPicture(
  body: unknown,
  { baseUrl, isRunning }: { readonly baseUrl: URL; readonly isRunning: boolean },
): {
  readonly found: FoundPicture | undefined;
  /** Why an entry's picture was passed over, e.g. `refused` for one of a list that was filtered. */
  readonly withheld: Stage | undefined;
} {
  let withheld: Stage | undefined;
  const found = search(body, 0);
  return { found, withheld };

  function search(value: unknown, depth: number): FoundPicture | undefined {
    if (typeof value === "string") {
      return readPicture(value, baseUrl);
    }
    if (depth === DEEPEST) {
      return undefined;
    }
    if (Array.isArray(value)) {
      return firstOf(value.slice(0, MOST_ENTRIES), (entry) => search(entry, depth + 1));
    }
    if (!isFields(value)) {
      return undefined;
    }
    const bad = readStages(value).find(isBad);
    if (bad !== undefined) {
      withheld ??= bad;
      return undefined;
    }
    return firstOf(PICTURE_KEYS, (key) => {
      const inside = search(value[key], depth + 1);
      return isRunning && key === "result_url" && inside?.kind === "link" ? undefined : inside;
    });
  }
}

function firstOf<In, Out>(values: readonly In[], look: (value: In) => Out | undefined): Out | undefined {
  for (const value of values) {
    const found = look(value);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function readPicture(text: string, baseUrl: URL): FoundPicture | undefined {
  const bytes = readInlinePicture(text);
  if (bytes !== undefined) {
    return { kind: "picture", bytes };
  }
  const url = readLink(text, baseUrl);
  return url && { kind: "link", url };
}

/** A web address, or a path below the service's own; `undefined` for any other text. */
export function readLink(value: unknown, baseUrl: URL): URL | undefined {
  if (typeof value !== "string" || value.length > LONGEST_LINK || /\s/.test(value)) {
    return undefined;
  }
  const isLink =
    /^(?:https?:\/)?\//i.test(value) ||
    /^[\w.~%-]+(?:\/[\w.~%-]+)*\.(?:png|jpe?g|webp|gif|avif)$/i.test(value);
  const folder = new URL(baseUrl.pathname.replace(/\/?$/, "/"), baseUrl);
  return isLink ? (URL.parse(value, folder) ?? undefined) : undefined;
}

// Tells a picture by its first bytes, because neither a service's headers nor its field names can be believed.

/** Enough to tell any of them. */
const MAGIC_BYTES = 12;
/** What is looked at before a long text is decoded whole: room for the first bytes and for a broken line. */
const BASE64_HEAD = 256;

/** Whether bytes begin as JPEG, PNG, GIF, WebP or AVIF do. Nothing is said of the rest. */
export function isPicture(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, MAGIC_BYTES));
  const text = start.toString("latin1");
  return (
    text.startsWith("\xFF\xD8\xFF") ||
    text.startsWith("\x89PNG\r\n\x1A\n") ||
    text.startsWith("GIF8") ||
    /^RIFF[^]{4}WEBP$/.test(text) ||
    /^[^]{4}ftypavi[fs]$/.test(text)
  );
}

/** The bytes of a picture that is written as a data URI or as base64; `undefined` for any other text. */
function readInlinePicture(text: string): Uint8Array | undefined {
  const [header = ""] = /^data:[^,]{0,200};base64,/i.exec(text) ?? [];
  const head = text.slice(header.length, header.length + BASE64_HEAD);
  // The whole head is looked at: JPEG's begins "/9j/", and so may a path.
  if (!/^[\w+/=\s-]+$/.test(head) || !isPicture(Buffer.from(head, "base64"))) {
    return undefined;
  }
  return Buffer.from(text.slice(header.length), "base64");
}

// The words in which services say how far they are.

/** `refused`: for the picture's content. */
export type Stage = "done" | "running" | "failed" | "refused";

const STATUS_KEYS = ["status", "state", "finish_reason", "finishReason"] as const;

/** Small letters, without spaces, `_` and `-`. Numbers are left out: 2 means "failed" at one and "running" at another. */
const WORDS: Readonly<Record<Stage, string>> = {
  done: "succeeded success completed complete finished done ready ok",
  running:
    "starting started queued inqueue new created accepted waiting pending processing inprogress running unknown",
  failed: "failed failure error canceled cancelled aborted expired timeout tasknotfound",
  refused: "rejected moderated requestmoderated contentmoderated filtered contentfilter contentfiltered",
};

const STAGES: ReadonlyMap<string, Stage> = new Map(
  // Object.entries forgets that the keys are the stages.
  (Object.entries(WORDS) as [Stage, string][]).flatMap(([stage, words]) =>
    words.split(" ").map((word) => [word, stage] as const),
  ),
);

/** What one object says of itself, in any of the fields where it may. Words that nobody knows say nothing. */
export function readStages(fields: Fields): readonly Stage[] {
  return STATUS_KEYS.flatMap((key) => readStage(fields[key]) ?? []);
}

/** What one value says. */
export function readStage(value: unknown): Stage | undefined {
  return typeof value === "string" ? STAGES.get(value.toLowerCase().replace(/[\s_-]+/g, "")) : undefined;
}

/** Whether the words mean that there is, and will be, no picture. */
export function isBad(stage: Stage): stage is "failed" | "refused" {
  return stage === "failed" || stage === "refused";
}

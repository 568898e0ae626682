// Finds the picture in an answer: by what a value is, not by what its field is called.
import { isFields } from "./answer-fields.ts";
import { readInlinePicture } from "./picture-bytes.ts";
import { isBad, readStages, type Stage } from "./status-words.ts";

/** A picture, or where to fetch it. */
export type FoundPicture =
  | { readonly kind: "picture"; readonly bytes: Uint8Array }
  | { readonly kind: "link"; readonly url: URL };

/** What the search came to. */
export interface PictureSearch {
  readonly found: FoundPicture | undefined;
  /** Why an entry's picture was passed over, e.g. `refused` for one of a list that was filtered. */
  readonly withheld: Stage | undefined;
}

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
): PictureSearch {
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

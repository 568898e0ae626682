// Chooses which files of a reply can be sent, and gives them names that Discord does not change.
import { ALT_TEXT_LIMIT, type ReplyFile } from "../core/reply.ts";
import { joinMultipart } from "../core/multipart.ts";
import { sniffPicture } from "../core/picture-type.ts";
import { cutText } from "../core/text.ts";

/** Discord's limits for one message. https://discord.com/developers/docs/resources/message#create-message */
const FILES_LIMIT = 10;
const REQUEST_LIMIT_BYTES = 25 * 1024 * 1024;
/** Room for the rest of the request beside its files. */
const REQUEST_RESERVE_BYTES = 64 * 1024;

export interface SendableFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly description: string;
}

/** The first of several with one name counts. `overflowed`: whether there are more files or bytes than a message takes. */
export function chooseFiles(files: readonly ReplyFile[], fileLimitBytes: number) {
  const byName = new Map<string, SendableFile>();
  const taken = new Set<string>();
  let tooLarge = 0;
  let overflowed = false;
  let roomBytes = Math.max(REQUEST_LIMIT_BYTES, fileLimitBytes) - REQUEST_RESERVE_BYTES;
  for (const file of files) {
    if (byName.has(file.name)) {
      continue;
    }
    const sizeBytes = file.bytes.byteLength;
    if (sizeBytes > fileLimitBytes) {
      tooLarge += 1;
      continue;
    }
    if (sizeBytes > roomBytes || byName.size === FILES_LIMIT) {
      overflowed = true;
      continue;
    }
    roomBytes -= sizeBytes;
    const name = formatFileName(file.name, taken);
    taken.add(name);
    byName.set(file.name, {
      name,
      bytes: file.bytes,
      description: cutText(file.description, ALT_TEXT_LIMIT),
    });
  }
  return { byName, tooLarge, overflowed };
}

/** Replaces unusual characters in a name. Discord would do that too, and `attachment://name` would then find nothing. */
function formatFileName(name: string, taken: ReadonlySet<string>): string {
  const plain = name.replace(/[^A-Za-z0-9._-]+/g, "_").replace(/^[._]+/, "");
  const dot = plain.lastIndexOf(".");
  const stem = (dot > 0 ? plain.slice(0, dot) : plain).slice(0, 80) || "file";
  const ending = dot > 0 ? plain.slice(dot).slice(0, 12) : "";
  let candidate = `${stem}${ending}`;
  for (let number = 2; taken.has(candidate); number += 1) {
    candidate = `${stem}-${number}${ending}`;
  }
  return candidate;
}

/**
 * One form in bytes: if a streamed form's connection broke or its request was aborted, undici would throw where nobody
 * can catch the error, and the process would end. discord.js's own form also copies each file twice.
 */
export function withFiles(body: object, files: readonly SendableFile[]) {
  if (files.length === 0) {
    return { body };
  }
  const parts = files.map(({ name, bytes }, index) => {
    const type = sniffPicture(bytes);
    const contentType = type === undefined ? "application/octet-stream" : `image/${type}`;
    return { name: `files[${index}]`, fileName: name, contentType, content: bytes };
  });
  const form = joinMultipart([...parts, { name: "payload_json", text: JSON.stringify(body) }]);
  return { body: form.bytes, headers: form.headers, passThroughBody: true };
}

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
export function readInlinePicture(text: string): Uint8Array | undefined {
  const [header = ""] = /^data:[^,]{0,200};base64,/i.exec(text) ?? [];
  const head = text.slice(header.length, header.length + BASE64_HEAD);
  // The whole head is looked at: JPEG's begins "/9j/", and so may a path.
  if (!/^[\w+/=\s-]+$/.test(head) || !isPicture(Buffer.from(head, "base64"))) {
    return undefined;
  }
  return Buffer.from(text.slice(header.length), "base64");
}

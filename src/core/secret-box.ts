// Encrypts secrets with the operator's key (AES-256-GCM): reading the database is not enough to get them.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

export type SecretBox = ReturnType<typeof createSecretBox>;

const ALGORITHM = "aes-256-gcm";
/** The first byte of a sealed text. It must be raised if the format changes. */
const VERSION = 1;
/** GCM's own length. Random ones are safe for billions of texts under one key: NIST SP 800-38D, section 8.3. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + IV_BYTES + TAG_BYTES;

/**
 * Keys have 32 bytes. The current key seals; texts that a former key sealed can still be opened. A text that was sealed
 * for one context, e.g. a server's id, cannot be opened for another.
 */
export function createSecretBox(key: Uint8Array, formerKeys: readonly Uint8Array[] = []) {
  function seal(text: string, context: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(context, "utf8"));
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([Uint8Array.of(VERSION), iv, cipher.getAuthTag(), body]).toString("base64url");
  }

  function open(sealed: string, context: string): string | undefined {
    const texts = [key, ...formerKeys].map((each) => openWith(each, sealed, context));
    return texts.find((text) => text !== undefined);
  }

  return {
    /** Returns base64url. The same text gives a different result each time. */
    seal,
    /** `undefined` if the text cannot be opened: it has another key or context, was changed, or was never sealed. */
    open,
    /** Unchanged if the text already has the current key. `undefined` if no key opens it. */
    renew(sealed: string, context: string): string | undefined {
      if (openWith(key, sealed, context) !== undefined) {
        return sealed;
      }
      const text = open(sealed, context);
      return text === undefined ? undefined : seal(text, context);
    },
  };
}

function openWith(key: Uint8Array, sealed: string, context: string): string | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  // The decoder ignores characters that are not base64url, and excess bits at the end.
  const isWhole = bytes.toString("base64url") === sealed && bytes.byteLength >= HEAD_BYTES;
  if (!isWhole || bytes[0] !== VERSION) {
    return undefined;
  }
  const iv = bytes.subarray(1, 1 + IV_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context, "utf8"));
  decipher.setAuthTag(bytes.subarray(1 + IV_BYTES, HEAD_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]).toString("utf8");
  } catch {
    // The tag does not match, which is the only possible error here.
    return undefined;
  }
}

export function openSecretBox([key, ...formerKeys]: readonly Uint8Array[]): SecretBox | undefined {
  return key && createSecretBox(key, formerKeys);
}

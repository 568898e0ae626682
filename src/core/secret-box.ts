// Keeps secrets in a database whose reader must not have them: AES-256-GCM under the operator's key.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

export type SecretBox = ReturnType<typeof createSecretBox>;

const ALGORITHM = "aes-256-gcm";
/** The first byte; a change of what follows it raises it. */
const VERSION = 1;
/** What the mode is made for; a random one is safe for billions of texts under a key. NIST SP 800-38D, section 8.3. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + IV_BYTES + TAG_BYTES;

/**
 * Keys have 32 bytes. The present one seals; a text that a former one sealed opens too. A text that was sealed for one
 * context, e.g. a server's id, opens for no other.
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
    /** Returns base64url; the same text gives a different result each time. */
    seal,
    /** `undefined` for a text that cannot be opened: another key, another context, changed, or never sealed at all. */
    open,
    /** The same under the present key; unchanged where it already is. `undefined` where no key opens it. */
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
  // Decoding passes over what is not base64url, and over bits too many at the end.
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
    // The tag does not fit: the only thing that can be wrong by now.
    return undefined;
  }
}

/** Opens a box with the current key and earlier ones; `undefined` if there is no key. */
export function openSecretBox([key, ...formerKeys]: readonly Uint8Array[]): SecretBox | undefined {
  return key && createSecretBox(key, formerKeys);
}

// Keeps secrets in a database whose reader must not have them: AES-256-GCM under the operator's key.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** Seals and opens. What is sealed for one context, e.g. a server's id, opens for no other. */
export interface SecretBox {
  /** Gives base64url; the same text never looks the same twice. */
  seal(text: string, context: string): string;
  /** `undefined` for what cannot be opened: another key, another context, changed, or never sealed at all. */
  open(sealed: string, context: string): string | undefined;
}

const ALGORITHM = "aes-256-gcm";
/** The first byte. Whoever changes what follows it counts on. */
const VERSION = 1;
/** What the mode is made for; a random one is safe for billions of texts under a key. NIST SP 800-38D, section 8.3. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + IV_BYTES + TAG_BYTES;

/** Makes a box; `key` has 32 bytes. */
export function createSecretBox(key: Uint8Array): SecretBox {
  return {
    seal(text, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(context, "utf8"));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([Uint8Array.of(VERSION), iv, cipher.getAuthTag(), body]).toString("base64url");
    },
    open(sealed, context) {
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
        return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]).toString(
          "utf8",
        );
      } catch {
        // The tag does not fit: the only thing that can be wrong by now.
        return undefined;
      }
    },
  };
}

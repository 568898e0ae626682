// Hashes of messages: their nonces, and their content.
import { createHash } from "node:crypto";

/** Discord's limit, in characters. */
const NONCE_LENGTH = 25;

/** A nonce from the parts that identify a message. For some minutes, Discord creates no second message with the same one. */
export function formatNonce(...parts: readonly (string | number)[]): string {
  return digest(parts.join(":")).slice(0, NONCE_LENGTH);
}

/** A hash of content, to see whether a message already shows it. */
export function hashContent(content: unknown): string {
  return digest(JSON.stringify(content)).slice(0, 22);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

import { createHash } from "node:crypto";

/** Discord's limit, in characters. */
const NONCE_LENGTH = 25;

/** For some minutes, Discord creates no second message with the same nonce. */
export function formatNonce(...parts: readonly (string | number)[]): string {
  return digest(parts.join(":")).slice(0, NONCE_LENGTH);
}

/** Shows whether a message already has this content. */
export function hashContent(content: unknown): string {
  return digest(JSON.stringify(content)).slice(0, 22);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

// Short names of messages and of what they show.
import { createHash } from "node:crypto";

/** Discord's limit, in characters. */
const NONCE_LENGTH = 25;

/** Names a message by what it is about: Discord creates no second one with the same nonce for some minutes. */
export function formatNonce(...parts: readonly (string | number)[]): string {
  return digest(parts.join(":")).slice(0, NONCE_LENGTH);
}

/** The same for equal content: by it a message is known to show it already. */
export function hashContent(content: unknown): string {
  return digest(JSON.stringify(content)).slice(0, 22);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

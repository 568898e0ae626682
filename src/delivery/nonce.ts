// Names for messages, so that Discord makes no second one where the first is sent again.
import { createHash } from "node:crypto";

/** Discord's limit, in characters. */
const NONCE_LENGTH = 25;

/** Names a message by what it is about: the same parts give the same nonce, in every process and every life. */
export function formatNonce(...parts: readonly (string | number)[]): string {
  return createHash("sha256").update(parts.join(":")).digest("base64url").slice(0, NONCE_LENGTH);
}

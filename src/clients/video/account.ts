// Whose videos are meant: every verb is given an account, because guilds may have their own.
import { createHmac } from "node:crypto";

/** The name of the service in errors and logs. */
export const VIDEO = "video";

/** An account at the service. */
export interface VideoAccount {
  readonly token: string;
  /** Its id there, e.g. of a Page; `undefined` for `me`, whoever the token belongs to. */
  readonly id?: string | undefined;
}

/** Hex HMAC-SHA256 of the token: shows that whoever sends it also knows the application's secret. */
export function proveToken(token: string, appSecret: string): string {
  return createHmac("sha256", appSecret).update(token).digest("hex");
}

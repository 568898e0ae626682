// An account at the service: what a request says of it, and what the service says of its token.
import { createHmac } from "node:crypto";
import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import type { VideoApi } from "./video-api.ts";
import { looseFlag, looseList, looseTime, idValue, looseText } from "./read-values.ts";

/** The name of the service in errors and logs. */
export const VIDEO = "video";

export interface VideoAccount {
  readonly token: string;
  /** Its id there, e.g. of a Page; `undefined` for `me`, whoever the token belongs to. */
  readonly id?: string | undefined;
}

/** Hex HMAC-SHA256 of the token: shows that the sender also knows the application's secret. */
export function proveToken(token: string, appSecret: string): string {
  return createHmac("sha256", appSecret).update(token).digest("hex");
}

// Whose token it is and what it allows, before it is kept.

const meSchema = z.object({ id: idValue, name: looseText });

const tokenSchema = z.object({
  data: z.object({
    type: looseText,
    is_valid: looseFlag,
    scopes: looseList(z.string()).optional().catch(undefined),
    expires_at: looseTime,
    data_access_expires_at: looseTime,
  }),
});

/** Throws ServiceError `unauthorised` for a token that is not good; that its details cannot be had is no error. */
export async function whoAmI(api: VideoApi, account: VideoAccount) {
  const { id, name } = await api.get(account, "who am I", ["me"], { fields: "id,name" }, meSchema);
  const query = { input_token: account.token };
  const told = await api.get(account, "check token", ["debug_token"], query, tokenSchema).then(
    ({ data }) => data,
    (error: unknown) => {
      if (error instanceof ServiceError && (error.kind === "aborted" || error.kind === "rate-limited")) {
        throw error;
      }
      return undefined;
    },
  );
  if (told?.is_valid === false) {
    throw new ServiceError(VIDEO, "unauthorised", "check token: it is not valid");
  }
  // 0 stands for never.
  const ends = [told?.expires_at, told?.data_access_expires_at].flatMap((at) => at || []);
  const kind = told?.type === undefined ? "unknown" : (KINDS[told.type.toUpperCase()] ?? "other");
  return {
    id,
    name,
    /** Only a Page may publish; `unknown` where the service does not say. */
    kind,
    /** What it may do, by the service's names; `undefined` where it does not say. */
    permissions: told?.scopes,
    /** When it ends, in milliseconds since the epoch; `undefined` for never, or unknown. */
    endsAtMs: ends.length > 0 ? Math.min(...ends) : undefined,
  };
}

export type TokenOwner = Awaited<ReturnType<typeof whoAmI>>;

const KINDS: Readonly<Record<string, "page" | "person">> = { PAGE: "page", USER: "person" };

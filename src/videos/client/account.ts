import { createHmac } from "node:crypto";
import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import type { VideoApi } from "./video-api.ts";
import { loose, looseFlag, looseList, looseTime, idValue, looseText } from "./read-values.ts";

export const VIDEO = "video";

export function isVideoError(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.service === VIDEO;
}

export interface VideoAccount {
  readonly token: string;
  /** The account's id on the service, e.g. a Page's. `undefined`: requests go to `me`, the owner of the token. */
  readonly id?: string | undefined;
}

export function videosPath({ id = "me" }: VideoAccount): readonly string[] {
  return [id, "videos"];
}

/** Returns the hex HMAC-SHA256 of the token, which proves that the sender also knows the application's secret. */
export function proveToken(token: string, appSecret: string): string {
  return createHmac("sha256", appSecret).update(token).digest("hex");
}

const meSchema = z.object({ id: idValue, name: looseText });

const tokenSchema = z.object({
  data: z.object({
    type: looseText,
    is_valid: looseFlag,
    scopes: loose(looseList(z.string())),
    expires_at: looseTime,
    data_access_expires_at: looseTime,
  }),
});

/** Throws `unauthorised` if the token is invalid, but not if only its details cannot be read. */
export async function whoAmI(api: VideoApi, account: VideoAccount) {
  const { id, name } = await api.get(account, "who am I", ["me"], { fields: "id,name" }, meSchema);
  const query = { input_token: account.token };
  const asking = api.get(account, "check token", ["debug_token"], query, tokenSchema);
  const answer = await asking.catch((error: unknown) => {
    if (error instanceof ServiceError && (error.kind === "aborted" || error.kind === "rate-limited")) {
      throw error;
    }
    return undefined;
  });
  const told = answer?.data;
  if (told?.is_valid === false) {
    throw new ServiceError(VIDEO, "unauthorised", "check token: it is not valid");
  }
  // 0 means that it never expires.
  const ends = [told?.expires_at, told?.data_access_expires_at].flatMap((at) => at || []);
  const kind = told?.type === undefined ? "unknown" : (KINDS[told.type.toUpperCase()] ?? "other");
  return {
    id,
    name,
    /** Only a Page may publish; `unknown` if the service does not say. */
    kind,
    /** The token's permissions, by the service's names; `undefined` if the service does not say. */
    permissions: told?.scopes,
    /** Milliseconds since the epoch; `undefined` if it never expires or the time is unknown. */
    endsAtMs: ends.length > 0 ? Math.min(...ends) : undefined,
  };
}

export type TokenOwner = Awaited<ReturnType<typeof whoAmI>>;

const KINDS: Readonly<Record<string, "page" | "person">> = { PAGE: "page", USER: "person" };

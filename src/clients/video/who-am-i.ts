// Whose token it is and what it allows, before it is kept.
import { z } from "zod";
import { ServiceError } from "../../core/errors.ts";
import { VIDEO, type VideoAccount } from "./account.ts";
import type { VideoDoor } from "./door.ts";
import { flag, idText, text } from "./values.ts";

/** Whom a token speaks for. */
export interface TokenOwner {
  readonly id: string;
  readonly name: string | undefined;
  /** Only a Page may publish; `unknown` where the service does not say. */
  readonly kind: "page" | "person" | "other" | "unknown";
  /** The permissions by the service's names; `undefined` where it does not say. */
  readonly permissions: readonly string[] | undefined;
  /** When it ends, in milliseconds since the epoch; `undefined` for never, or unknown. */
  readonly endsAtMs: number | undefined;
}

const meSchema = z.object({ id: idText, name: text });

const seconds = z.number().optional().catch(undefined);

const tokenSchema = z.object({
  data: z.object({
    type: text,
    is_valid: flag,
    scopes: z.array(z.string()).optional().catch(undefined),
    expires_at: seconds,
    data_access_expires_at: seconds,
  }),
});

/**
 * Asks who the token belongs to, and what of it the service tells. Throws ServiceError: `unauthorised` for one that is
 * not good, and what {@link VideoDoor} throws; that the details cannot be had is no error.
 */
export async function whoAmI(door: VideoDoor, account: VideoAccount): Promise<TokenOwner> {
  const me = { verb: "who am I", method: "GET", path: ["me"], query: { fields: "id,name" } } as const;
  const { id, name } = await door.ask(account, me, meSchema);
  if (id === undefined) {
    throw new ServiceError(VIDEO, "unexpected-answer", "id is not string");
  }
  const query = { input_token: account.token };
  const check = { verb: "check token", method: "GET", path: ["debug_token"], query } as const;
  const told = await door.ask(account, check, tokenSchema).then(
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
  const ends = [told?.expires_at, told?.data_access_expires_at].filter((at) => at !== undefined && at > 0);
  return {
    id,
    name,
    kind: kindOf(told?.type),
    permissions: told?.scopes,
    endsAtMs: ends.length > 0 ? Math.min(...ends.map((at) => (at ?? 0) * 1000)) : undefined,
  };
}

function kindOf(type: string | undefined): TokenOwner["kind"] {
  switch (type?.toUpperCase()) {
    case undefined:
      return "unknown";
    case "PAGE":
      return "page";
    case "USER":
      return "person";
    default:
      return "other";
  }
}

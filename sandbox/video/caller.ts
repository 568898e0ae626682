// Authentication and permissions: where a request may carry its token, and the errors for tokens that are not accepted.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Token } from "./entities.ts";
import { GraphError, wrongParameter } from "./graph-error.ts";
import type { Store } from "./store.ts";

export interface Credentials {
  readonly token: string | undefined;
  readonly tokenIn: "header" | "field" | "query" | undefined;
  readonly proof: string | undefined;
}

const REASONS: Readonly<Record<number, string>> = {
  458: "The user has not authorized application",
  459: "You cannot access the app till you log in and follow the instructions given",
  460: "The session has been invalidated because the user changed their password",
  463: "Session has expired",
  464: "The user is not a confirmed user",
  467: "The session is invalid because the user logged out",
  492: "The user no longer has a role on the page",
};

export function readCredentials(
  header: string | undefined,
  fields: Readonly<Record<string, string>>,
  query: URLSearchParams,
): Credentials {
  const [, inHeader] = /^(?:Bearer|OAuth)\s+(\S+)$/i.exec(header ?? "") ?? [];
  const inField = fields["access_token"];
  const inQuery = query.get("access_token") ?? undefined;
  const tokenIn = inField !== undefined ? "field" : inQuery !== undefined ? "query" : inHeader && "header";
  const proof = fields["appsecret_proof"] ?? query.get("appsecret_proof") ?? undefined;
  return { token: inField ?? inQuery ?? inHeader, tokenIn: tokenIn || undefined, proof };
}

/** Returns the request's token. Throws a GraphError if it is not valid; like the real one, it may repeat the token. */
export function checkCaller({ token, proof }: Credentials, store: Store, needsProof: boolean): Token {
  if (token === undefined) {
    throw new GraphError(104, "An access token is required to request this resource.");
  }
  const known = store.tokens.get(token);
  if (known === undefined) {
    throw new GraphError(190, `Malformed access token ${token}`);
  }
  if (known.errorSubcode !== undefined) {
    const reason = REASONS[known.errorSubcode] ?? "The session is invalid";
    throw new GraphError(190, `Error validating access token: ${reason}.`, { subcode: known.errorSubcode });
  }
  if (proof === undefined ? needsProof : !isProof(proof, known)) {
    throw wrongParameter(
      proof === undefined
        ? "API calls from the server require an appsecret_proof argument"
        : "Invalid appsecret_proof provided in the API argument",
    );
  }
  return known;
}

function isProof(proof: string, { value, appSecret }: Token): boolean {
  const right = createHmac("sha256", appSecret).update(value).digest("hex");
  return proof.length === right.length && timingSafeEqual(Buffer.from(proof), Buffer.from(right));
}

/** The current service's permissions, each with the specification's permission that also allows it. */
const PERMISSIONS = {
  pages_manage_posts: "video_upload",
  pages_manage_engagement: "video_upload",
  pages_read_engagement: "user_videos",
  pages_read_user_content: "user_videos",
  read_insights: "user_videos",
} as const;

/** Throws a GraphError if the token lacks the permission: 10 for reading, 200 for anything else. */
export function checkPermission({ scopes }: Token, permission: keyof typeof PERMISSIONS): void {
  if (!scopes.includes(permission) && !scopes.includes(PERMISSIONS[permission])) {
    const code = permission.startsWith("pages_read") ? 10 : 200;
    throw new GraphError(code, `(#${code}) This needs the ${permission} permission`);
  }
}

/** Throws a GraphError if the token is a person's and not a page's. */
export function checkIsPage({ kind }: Token): void {
  if (kind !== "page") {
    throw new GraphError(190, "(#190) This method must be called with a Page Access Token", {
      subcode: 2069032,
    });
  }
}

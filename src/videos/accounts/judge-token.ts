// Whether an account can be published with, by what the service says about its token; and why not, in words.
import { type VideoTrouble, VideoRefusal } from "../client/refusal.ts";
import type { TokenOwner } from "../client/who-am-i.ts";
import { ServiceError, UserError } from "../../core/errors.ts";

/** Either is enough: the first is the public service's, the second the specification's. */
const PUBLISHING = ["pages_manage_posts", "video_upload"];
/** What looking after videos needs besides; services that name permissions otherwise say nothing about it. */
const LOOKING_AFTER = [
  "pages_read_engagement",
  "pages_manage_engagement",
  "pages_read_user_content",
  "read_insights",
];

const ENDED =
  "The video service doesn't accept that token: it has expired, was withdrawn, or part of it is missing. Make a new one, copy all of it and try again.";
const NOT_A_PAGES =
  "That's the access token of a person or of an application, and only a Page can publish. Ask the video service's developer tools for `me/accounts` with a person's token: the answer lists their Pages, each with an `access_token` of its own. Link that one.";

const lacksPermission = (permission: string): string =>
  `That token can't publish videos: it lacks the permission \`${permission}\`. Make a new one that has it, and link that.`;

/** Gives the permissions that are missing for less than publishing. Throws UserError where it cannot publish. */
export function judgeOwner({ kind, permissions, endsAtMs }: TokenOwner, nowMs: number): readonly string[] {
  if (endsAtMs !== undefined && endsAtMs <= nowMs) {
    throw new UserError(ENDED);
  }
  if (kind === "person" || kind === "other") {
    throw new UserError(NOT_A_PAGES);
  }
  if (permissions === undefined) {
    return [];
  }
  if (!PUBLISHING.some((name) => permissions.includes(name))) {
    throw new UserError(lacksPermission("pages_manage_posts"));
  }
  const hasKnownNames = permissions.some((name) => name.startsWith("pages_"));
  return hasKnownNames ? LOOKING_AFTER.filter((name) => !permissions.includes(name)) : [];
}

/** What the service's refusal of a token means for the person who pasted it; `undefined` for what passes by itself. */
export function explainTokenRefusal(error: unknown): UserError | undefined {
  if (!(error instanceof ServiceError)) {
    return undefined;
  }
  if (error.kind === "rejected") {
    // Nothing else can be wrong with the question whose token it is.
    return new UserError(
      "The video service doesn't take that token from this bot: it was made for another application. Make one for the application that the person who runs this bot has registered.",
    );
  }
  const trouble = findTokenTrouble(error);
  const missing = (error instanceof VideoRefusal && error.permission) || "pages_manage_posts";
  const sentences: Readonly<Record<TokenTrouble, string>> = {
    "page-token-needed": NOT_A_PAGES,
    permission: lacksPermission(missing),
    "needs-confirmation":
      "The video service wants the account's owner to log in there and confirm something first. After that, link the token again.",
    "token-dead": ENDED,
  };
  return trouble && new UserError(sentences[trouble]);
}

/** What stands between an account and its use, as far as its token goes. */
export type TokenTrouble = Extract<
  VideoTrouble,
  "token-dead" | "needs-confirmation" | "page-token-needed" | "permission"
>;

export function findTokenTrouble(error: ServiceError): TokenTrouble | undefined {
  const trouble = error instanceof VideoRefusal ? error.trouble : undefined;
  if (error.kind === "unauthorised") {
    return trouble === "needs-confirmation" ? trouble : "token-dead";
  }
  if (error.kind === "not-permitted") {
    return trouble === "page-token-needed" ? trouble : "permission";
  }
  return error.kind === "rejected" || error.kind === "not-found" ? "token-dead" : undefined;
}

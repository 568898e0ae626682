// The sandbox's tokens, one of each kind that people may use.
import type { Token } from "./entities.ts";
import { PAGES, type Store } from "./store.ts";

const PAGE_SCOPES = [
  "pages_show_list",
  "pages_read_engagement",
  "pages_manage_posts",
  "pages_manage_engagement",
  "pages_read_user_content",
  "read_insights",
] as const;

/** A person, whose tokens can read pages but not publish. */
export const PERSON = { id: "7007", name: "Ada" } as const;

export const APP_ID = "9009";
export const APP_SECRET = "sandbox-video-secret-0123456789abcdef";

export interface NewToken extends Partial<
  Pick<Token, "kind" | "ownerId" | "scopes" | "errorSubcode" | "appSecret" | "expiresAt">
> {
  readonly value: string;
}

const [FIRST, SECOND] = PAGES;

/** Issues the tokens that every stand-in has, and returns their values. */
export function addKnownTokens(store: Store) {
  const make = (value: string, more: Partial<NewToken> = {}): string =>
    addToken(store, { value: `EAASandbox${value}0123456789abcdef`, ...more }).value;
  return {
    /** For the page "Signal Hall", with every permission and no expiry. */
    page: make("Page"),
    /** For the page "Garden Railway". */
    secondPage: make("SecondPage", { ownerId: SECOND.id }),
    person: make("Person", { kind: "user", ownerId: PERSON.id, expiresAt: 1_900_000_000 }),
    expired: make("Expired", { errorSubcode: 463 }),
    /** Without the permissions for publishing, moderating and statistics. */
    readOnly: make("ReadOnly", { scopes: ["pages_show_list", "pages_read_engagement"] }),
    /** Issued for another application, so the proof with our secret is wrong. */
    otherApp: make("OtherApp", { appSecret: "the-secret-of-another-application" }),
  };
}

/** Issues a token; by default a valid one for the page "Signal Hall" with every permission. */
export function addToken(store: Store, given: NewToken): Token {
  const token: Token = {
    kind: "page",
    ownerId: FIRST.id,
    scopes: PAGE_SCOPES,
    errorSubcode: undefined,
    appSecret: APP_SECRET,
    expiresAt: 0,
    ...given,
  };
  store.tokens.set(token.value, token);
  return token;
}

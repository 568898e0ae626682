// The tokens of the sandbox, one of each kind that people come with.
import type { Token } from "./entities.ts";
import { PAGES, type Store } from "./store.ts";

/** The names that today's permissions have. */
const PAGE_SCOPES = [
  "pages_show_list",
  "pages_read_engagement",
  "pages_manage_posts",
  "pages_manage_engagement",
  "pages_read_user_content",
  "read_insights",
] as const;

/** A person: may see pages, but a token of theirs publishes nothing. */
export const PERSON = { id: "7007", name: "Ada" } as const;

export const APP_ID = "9009";
export const APP_SECRET = "sandbox-video-secret-0123456789abcdef";

/** What can be said of a new token. */
export interface NewToken extends Partial<
  Pick<Token, "kind" | "ownerId" | "scopes" | "errorSubcode" | "appSecret" | "expiresAt">
> {
  readonly value: string;
}

const [FIRST, SECOND] = PAGES;

/** Gives out the tokens that every stand-in has, and tells their values. */
export function addKnownTokens(store: Store) {
  const make = (value: string, more: Partial<NewToken> = {}): string =>
    addToken(store, { value: `EAASandbox${value}0123456789abcdef`, ...more }).value;
  return {
    /** Of the page "Signal Hall", with every permission and without an end. */
    page: make("Page"),
    /** Of the page "Garden Railway". */
    secondPage: make("SecondPage", { ownerId: SECOND.id }),
    person: make("Person", { kind: "user", ownerId: PERSON.id, expiresAt: 1_900_000_000 }),
    expired: make("Expired", { errorSubcode: 463 }),
    /** Lacks what publishing, moderating and statistics need. */
    readOnly: make("ReadOnly", { scopes: ["pages_show_list", "pages_read_engagement"] }),
    /** Made for another application: our proof is wrong for it. */
    otherApp: make("OtherApp", { appSecret: "the-secret-of-another-application" }),
  };
}

/** Gives out another; of the page "Signal Hall" unless told otherwise. */
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

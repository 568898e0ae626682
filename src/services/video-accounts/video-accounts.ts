// Which account of the video service a guild acts with: its own, or the operator's.
import type { VideoAccount } from "../../clients/video/account.ts";
import type { VideoTrouble } from "../../clients/video/error-codes.ts";

/** `operator`, or `page:` and the account's id: what publications remember. */
export type AccountKey = "operator" | `page:${string}`;

/** An account that can be used now. Its token goes to the client and nowhere else. */
export interface UsableAccount {
  readonly key: AccountKey;
  readonly account: VideoAccount;
  /** As people know it; `undefined` where the service does not say. */
  readonly name: string | undefined;
}

/** A linked account as people may see it: no token. Times are milliseconds since the epoch. */
export interface LinkedAccount {
  readonly accountId: string;
  readonly name: string | undefined;
  readonly linkedBy: string | undefined;
  readonly linkedAtMs: number;
  readonly endsAtMs: number | undefined;
  readonly brokenBecause: VideoTrouble | undefined;
  /** Permissions that were missing when it was linked, by the service's names; empty also where it does not say. */
  readonly missing: readonly string[];
}

/** A guild's accounts. Everything throws as the database and the client do. */
export interface VideoAccounts {
  /** Whether guilds can link their own: there is a key to seal tokens with. */
  readonly canLink: boolean;
  /** Whether the operator has one for everybody. */
  readonly hasOperator: boolean;
  /**
   * The account with which a guild publishes; `undefined` where there is none. Throws UserError where its linked one is
   * broken or cannot be opened: the operator's does not take its place. A broken one is looked at again, at most once a
   * minute.
   */
  of(guildId: string): Promise<UsableAccount | undefined>;
  /** The account of that key, if the guild may still act with it; also a broken one, of which the service is the judge. */
  byKey(guildId: string, key: string): Promise<UsableAccount | undefined>;
  linked(guildId: string): Promise<LinkedAccount | undefined>;
  /**
   * Checks a token with the service, seals it and keeps it in place of an earlier one. Throws UserError where it cannot
   * publish: not a Page's, without the permission, of another application, ended, no key to seal it with.
   */
  link(guildId: string, token: string, actorId: string): Promise<LinkedAccount>;
  /** Erases it; says whether there was one. */
  unlink(guildId: string, actorId: string | undefined): Promise<boolean>;
  /**
   * The service refused its token: remembered, and told once in the server's notice channel. A token that the service
   * takes after all when it is asked again is left alone.
   */
  markBroken(guildId: string, key: AccountKey, because: VideoTrouble): Promise<void>;
  /**
   * Looks at accounts that nobody has looked at for a day. A token that ends within a week is told of, once. `progress` is
   * called after each.
   */
  checkDue(progress?: () => void): Promise<void>;
}

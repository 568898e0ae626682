// Which account of the video service a guild acts with: its own, or the operator's.
import { type TokenOwner, VIDEO, type VideoAccount } from "../client/account.ts";
import { type VideoTrouble, VideoRefusal } from "../client/refusal.ts";
import { ServiceError, UserError } from "../../core/errors.ts";
import type { Clock } from "../../core/clock.ts";
import { type GuildSelection, includesGuild } from "../../core/guilds.ts";
import type { Log } from "../../core/log.ts";
import { quoteText } from "../../core/text.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { VideoClient } from "../client/video-client.ts";
import type { VideoRules } from "../settings/video-rules.ts";
import type { AccountKey } from "../publications-table.ts";
import type { VideoAccountRecord, VideoAccountsTable } from "../video-accounts-table.ts";
import { videoProblemWords } from "../video-problem-words.ts";
import {
  type AccountNotice,
  announceExpiryFrom,
  createAccountCheck,
  explainTokenRefusal,
  checkCanPublish,
} from "./check-account.ts";
import { createOperatorAccount } from "./operator-account.ts";

/** An account that can be used now. Its token goes to the client and nowhere else. */
export interface UsableAccount {
  readonly key: AccountKey;
  readonly account: VideoAccount;
  /** As people know it; `undefined` where the service does not say. */
  readonly name: string | undefined;
}

/** A linked account as people may see it: no token. Times are milliseconds since the epoch. */
export interface LinkedAccount extends Pick<
  VideoAccountRecord,
  "accountId" | "name" | "linkedBy" | "linkedAtMs" | "endsAtMs"
> {
  readonly brokenBecause: VideoTrouble | undefined;
  /** Permissions that were missing when it was linked, by the service's names; empty also where it does not say. */
  readonly missing: readonly string[];
}

export interface VideoAccountsDependencies {
  readonly table: VideoAccountsTable;
  readonly client: Pick<VideoClient, "whoAmI">;
  /** `undefined`: only guilds' own accounts are used. */
  readonly operatorToken: string | undefined;
  readonly operatorGuilds: GuildSelection;
  readonly secretBox: SecretBox | undefined;
  readonly rules: Pick<VideoRules, "changeWithAudit">;
  readonly notify: (notice: AccountNotice) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

const CHECK_EVERY_MS = 24 * 3_600_000;
/** Where the service did not answer. */
const CHECK_AGAIN_MS = 3_600_000;
/** A broken one that somebody wants to use. */
const RECHECK_MS = 60_000;
const MOST_CHECKS = 20;
/** What the service can be asked about again, since a token that it does not take is not taken anywhere. */
const ABOUT_TOKEN: ReadonlySet<VideoTrouble> = new Set(["token-dead", "needs-confirmation"]);

/** The accounts that guilds publish with: their own, sealed in the database, or else the operator's. */
export function createVideoAccounts(deps: VideoAccountsDependencies) {
  const { table, client, secretBox, operatorToken, operatorGuilds, rules, clock, log } = deps;
  const operator = createOperatorAccount(deps);
  const accountCheck = createAccountCheck(deps);

  function use(record: VideoAccountRecord): UsableAccount | undefined {
    const { accountId, name } = record;
    const token = accountCheck.unseal(record);
    return token === undefined ? undefined : { key: keyOf(record), account: { token, id: accountId }, name };
  }

  /** A broken account may have been mended at the service meanwhile. */
  async function checkAgain(record: VideoAccountRecord): Promise<VideoAccountRecord> {
    const nowMs = clock.now();
    if (record.brokenBecause === undefined || Math.abs(nowMs - record.checkedAtMs) < RECHECK_MS) {
      return record;
    }
    // Before it is asked, so that a service that does not answer keeps nobody waiting again and again.
    await table.change(record, { checkedAtMs: nowMs });
    return ignoreServiceErrors(() => accountCheck.check(record), record);
  }

  /** What fails by itself gets better by itself. */
  async function ignoreServiceErrors<T>(act: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof ServiceError && error.service === VIDEO) {
        log.info({ service: VIDEO, kind: error.kind }, "account check failed");
        return otherwise;
      }
      throw error;
    }
  }

  async function askOwner(token: string): Promise<TokenOwner> {
    try {
      return await client.whoAmI({ token });
    } catch (error) {
      throw explainTokenRefusal(error) ?? error;
    }
  }

  const mayUseOperator = (guildId: string): boolean =>
    operatorToken !== undefined && includesGuild(operatorGuilds, guildId);

  /** The account with this key, unless it was unlinked; also a broken one: the service decides whether it works. */
  async function byKey(guildId: string, key: AccountKey): Promise<UsableAccount | undefined> {
    if (key === "operator") {
      return operator.use();
    }
    const record = await table.get(guildId);
    return record !== undefined && keyOf(record) === key ? use(record) : undefined;
  }

  return {
    /** Whether guilds can link their own: there is a key to seal tokens with. */
    canLink: secretBox !== undefined,
    /** How the operator's token stands; `undefined` without one. Throws ServiceError for what passes by itself. */
    operatorToken: () => operator.tokenStatus(),
    countBroken: () => table.countBroken(),
    mayUseOperator,
    /** Throws UserError where the linked one can't be used: the operator's never takes its place. */
    async of(guildId: string): Promise<UsableAccount | undefined> {
      const kept = await table.get(guildId);
      if (kept === undefined) {
        return mayUseOperator(guildId) ? operator.use() : undefined;
      }
      const record = await checkAgain(kept);
      const account = use(record);
      // Never the operator's in its place: the video would come out somewhere else.
      if (account === undefined || record.brokenBecause !== undefined) {
        throw explainBroken(accountCheck.show(record));
      }
      return account;
    },
    byKey,
    /** The same for publishing: a server that the operator no longer lists only looks after what it has published. */
    toPublish: async (guildId: string, key: AccountKey): Promise<UsableAccount | undefined> =>
      key === "operator" && !mayUseOperator(guildId) ? undefined : byKey(guildId, key),
    async linked(guildId: string): Promise<LinkedAccount | undefined> {
      const record = await table.get(guildId);
      return record && accountCheck.show(record);
    },
    /** Checks a token with the service, seals and stores it. Throws UserError for one that cannot publish. */
    async link(guildId: string, typed: string, actorId: string): Promise<LinkedAccount> {
      if (secretBox === undefined) {
        throw new UserError(
          "Accounts can't be linked to this bot yet: the person who runs it needs to set SECRET_KEY first, to keep their tokens safe.",
        );
      }
      const token = readToken(typed);
      const owner = await askOwner(token);
      const nowMs = clock.now();
      const missing = checkCanPublish(owner, nowMs);
      const record: VideoAccountRecord = {
        guildId,
        accountId: owner.id,
        name: owner.name,
        sealedToken: secretBox.seal(token, guildId),
        missing: missing.join(" "),
        linkedBy: actorId,
        linkedAtMs: nowMs,
        endsAtMs: owner.endsAtMs,
        brokenBecause: undefined,
        checkedAtMs: nowMs,
      };
      const act = { guildId, actorId, act: "account-linked", note: owner.name ?? owner.id } as const;
      await rules.changeWithAudit([act], async (lines) => {
        await table.put(record, lines);
        return true;
      });
      return accountCheck.show(record);
    },
    unlink: (guildId: string, actorId: string | undefined): Promise<boolean> =>
      rules.changeWithAudit([{ guildId, actorId, act: "account-unlinked" }], (lines) =>
        table.remove(guildId, lines),
      ),
    /** Puts every token under the present key; gives a sentence for the operator where no key opens some of them. */
    async reseal(): Promise<readonly string[]> {
      const records = secretBox === undefined ? [] : await table.sealed();
      let unreadable = 0;
      for (const { guildId, sealedToken } of records) {
        const renewed = secretBox?.renew(sealedToken, guildId);
        if (renewed === undefined) {
          unreadable += 1;
        } else if (renewed !== sealedToken) {
          await table.reseal(guildId, sealedToken, renewed);
        }
      }
      return unreadable === 0
        ? []
        : [
            `SECRET_KEY doesn't decrypt ${unreadable} of ${records.length} linked video accounts. Add the key that they were encrypted with to SECRET_KEY_OLD; without it, their servers have to link them again.`,
          ];
    },
    /** The service refused its token: announced once, unless the service takes it when asked again. */
    async markBroken(guildId: string, key: AccountKey, because: VideoTrouble): Promise<void> {
      if (key === "operator") {
        operator.refused(because);
        return;
      }
      const record = await table.get(guildId);
      if (record === undefined || keyOf(record) !== key || record.brokenBecause !== undefined) {
        return;
      }
      // The refused token may have been replaced meanwhile, and a service out of order refuses good ones.
      if (
        !ABOUT_TOKEN.has(because) ||
        !(await ignoreServiceErrors(() => accountCheck.isGood(record), false))
      ) {
        await accountCheck.remember(record, { brokenBecause: because });
      }
    },
    /** Checks accounts that nobody has checked for a day. A token that ends within a week is announced, once. */
    async checkDue(progress: () => void = () => undefined): Promise<void> {
      const dueMs = clock.now() - CHECK_EVERY_MS;
      for (const record of await table.checkedBefore(dueMs, MOST_CHECKS)) {
        // Until it was really checked, that its token ends soon is still to be announced.
        const fromMs = announceExpiryFrom(record);
        const unannouncedMs = record.checkedAtMs < fromMs ? fromMs - 1 : Infinity;
        await table.change(record, { checkedAtMs: Math.min(dueMs + CHECK_AGAIN_MS, unannouncedMs) });
        await ignoreServiceErrors(() => accountCheck.check(record), undefined);
        progress();
      }
    },
  };
}

export type VideoAccounts = ReturnType<typeof createVideoAccounts>;

/** Asks the service in an account's name; an account whose token it refuses is marked as broken. Throws as it does. */
export async function withAccount<T>(
  accounts: Pick<VideoAccounts, "markBroken">,
  guildId: string,
  { key, account }: UsableAccount,
  request: (account: VideoAccount) => Promise<T>,
): Promise<T> {
  try {
    return await request(account);
  } catch (error) {
    if (error instanceof VideoRefusal && error.kind === "unauthorised") {
      await accounts.markBroken(guildId, key, error.trouble ?? "token-dead");
    }
    throw error;
  }
}

function keyOf({ accountId }: Pick<VideoAccountRecord, "accountId">): AccountKey {
  return `page:${accountId}`;
}

function explainBroken({ name, brokenBecause: trouble }: LinkedAccount): UserError {
  const which = name === undefined ? "This server's video account" : `The video account “${quoteText(name)}”`;
  return new UserError(
    `${which} can't be used. ${videoProblemWords({ kind: "unauthorised", trouble }, "server")}`,
  );
}

// An access token as people paste it.

/** Tokens have some 30 to 300 characters. */
const SHORTEST = 20;
const LONGEST = 2_000;
const QUOTES = /^["'`<“”‘’«»]+|["'`>“”‘’«»]+$/g;
/** What stands before it where it was copied out of a request. */
const NAME = /^(?:authorization:\s*)?(?:bearer\s+|oauth\s+|access_token\s*[=:]\s*)/i;

/** Gives the token itself. Throws a UserError, which does not repeat it, for what cannot be one. */
function readToken(typed: string): string {
  const token = typed.trim().replace(NAME, "").replace(QUOTES, "").trim();
  if (/^https?:\/\//i.test(token)) {
    throw new UserError("That's a web address, not an access token. Paste the token alone.");
  }
  // It travels in a header.
  if (!/^[!-~]+$/.test(token) || token.length < SHORTEST || token.length > LONGEST) {
    throw new UserError(
      "That isn't an access token. A token is one long string of letters and digits, without spaces. Copy all of it and try again.",
    );
  }
  return token;
}

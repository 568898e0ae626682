import type { VideoAccount } from "../client/account.ts";
import { type VideoTrouble, VideoRefusal } from "../client/refusal.ts";
import { UserError } from "../../core/errors.ts";
import { type GuildSelection, includesGuild } from "../../core/guilds.ts";
import type { Platform } from "../../core/ports.ts";
import { quoteText } from "../../core/text.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { VideoClient } from "../client/video-client.ts";
import type { VideoRules } from "../settings/video-rules.ts";
import type { AccountKey } from "../publications-table.ts";
import type { VideoAccountRecord, VideoAccountsTable } from "../video-accounts-table.ts";
import { accountTroubleWords } from "../video-problem-words.ts";
import {
  type AccountNotice,
  announceExpiryFrom,
  createAccountCheck,
  explainTokenRefusal,
  checkCanPublish,
} from "./check-account.ts";
import { createOperatorAccount } from "./operator-account.ts";

/** An account that can be used now. Its token is passed to the API client only. */
export interface UsableAccount {
  readonly key: AccountKey;
  readonly account: VideoAccount;
  /** `undefined` if the service does not say. */
  readonly name: string | undefined;
}

/** A linked account as people may see it, without its token. Times are milliseconds since the epoch. */
export interface LinkedAccount extends Pick<
  VideoAccountRecord,
  "accountId" | "name" | "linkedBy" | "linkedAtMs" | "endsAtMs"
> {
  /** `unreadable`: none of the bot's keys decrypts its token. */
  readonly brokenBecause: VideoTrouble | "unreadable" | undefined;
  /** Permissions missing when it was linked, by the service's names; empty if the service lists none. */
  readonly missing: readonly string[];
}

export interface VideoAccountsDependencies extends Pick<Platform, "clock" | "log"> {
  readonly table: VideoAccountsTable;
  readonly client: Pick<VideoClient, "whoAmI">;
  /** `undefined` if only servers' own accounts are used. */
  readonly operatorToken: string | undefined;
  readonly operatorGuilds: GuildSelection;
  readonly secretBox: SecretBox | undefined;
  readonly rules: Pick<VideoRules, "changeWithAudit">;
  readonly notify: (notice: AccountNotice) => Promise<void>;
}

/** Said to people if the bot has no key to encrypt tokens with. */
export const CANNOT_LINK =
  "Servers can't link their own accounts here yet. Please ask the person who runs this bot to set SECRET_KEY first: it keeps the accounts' tokens safe.";

const CHECK_EVERY_MS = 24 * 3_600_000;
/** After the service did not answer. */
const CHECK_AGAIN_MS = 3_600_000;
/** How often a broken account is checked when somebody wants to use it. */
const RECHECK_MS = 60_000;
const MAX_CHECKS = 20;
/** Troubles that a second request can confirm, because a bad token is refused for every request. */
const TOKEN_TROUBLES: ReadonlySet<VideoTrouble> = new Set(["token-dead", "needs-confirmation"]);

/** Manages the accounts that servers publish with: their own, encrypted in the database, or the operator's. */
export function createVideoAccounts(deps: VideoAccountsDependencies) {
  const { table, client, secretBox, operatorToken, operatorGuilds, rules, clock } = deps;
  const operator = createOperatorAccount(deps);
  const accountCheck = createAccountCheck(deps);

  function use(record: VideoAccountRecord): UsableAccount | undefined {
    const { accountId, name } = record;
    const token = accountCheck.unseal(record);
    return token === undefined ? undefined : { key: keyOf(record), account: { token, id: accountId }, name };
  }

  /** A broken account may have been fixed on the service in the meantime. */
  async function checkAgain(record: VideoAccountRecord): Promise<VideoAccountRecord> {
    const nowMs = clock.now();
    if (record.brokenBecause === undefined || Math.abs(nowMs - record.checkedAtMs) < RECHECK_MS) {
      return record;
    }
    // Stored first, so that a service that does not answer delays people only once a minute.
    await table.change(record, { checkedAtMs: nowMs });
    return accountCheck.check(record);
  }

  const mayUseOperator = (guildId: string): boolean =>
    operatorToken !== undefined && includesGuild(operatorGuilds, guildId);

  /** `undefined` if it was unlinked. Also returns a broken account: the service decides whether it works. */
  async function byKey(guildId: string, key: AccountKey): Promise<UsableAccount | undefined> {
    if (key === "operator") {
      return operator.use();
    }
    const record = await table.get(guildId);
    return record !== undefined && keyOf(record) === key ? use(record) : undefined;
  }

  return {
    /** Linking requires a key to encrypt tokens. */
    canLink: secretBox !== undefined,
    /** `undefined` if there is no token. Throws a ServiceError if the service fails temporarily. */
    operatorToken: () => operator.tokenStatus(),
    countBroken: () => table.countBroken(),
    mayUseOperator,
    /** `undefined` if the server has none. Throws a UserError if its linked account cannot be used. */
    async of(guildId: string): Promise<UsableAccount | undefined> {
      const stored = await table.get(guildId);
      if (stored === undefined) {
        return mayUseOperator(guildId) ? operator.use() : undefined;
      }
      const record = await checkAgain(stored);
      const account = use(record);
      // With the operator's account, the video would be published in the wrong place.
      if (account === undefined || record.brokenBecause !== undefined) {
        throw explainBroken(accountCheck.show(record));
      }
      return account;
    },
    byKey,
    /** A server that the operator no longer lists can only manage what it has published. */
    toPublish: async (guildId: string, key: AccountKey): Promise<UsableAccount | undefined> =>
      key === "operator" && !mayUseOperator(guildId) ? undefined : byKey(guildId, key),
    async linked(guildId: string): Promise<LinkedAccount | undefined> {
      const record = await table.get(guildId);
      return record && accountCheck.show(record);
    },
    /** The servers that have linked an account, including those that the bot has left. */
    linkedGuilds: () => table.guildIds(),
    /** Throws a UserError if the account of this token cannot publish. */
    async link(guildId: string, typed: string, actorId: string): Promise<LinkedAccount> {
      if (secretBox === undefined) {
        throw new UserError(CANNOT_LINK);
      }
      const token = readToken(typed);
      const owner = await client.whoAmI({ token }).catch((error: unknown) => {
        throw explainTokenRefusal(error) ?? error;
      });
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
      await rules.changeWithAudit([act], (lines) => table.put(record, lines));
      return accountCheck.show(record);
    },
    /** Returns `false` if it is no longer the one that was linked at `linkedAtMs`. */
    unlink: (
      account: Pick<VideoAccountRecord, "guildId" | "linkedAtMs">,
      actorId: string | undefined,
    ): Promise<boolean> =>
      rules.changeWithAudit([{ guildId: account.guildId, actorId, act: "account-unlinked" }], (lines) =>
        table.remove(account, lines),
      ),
    /** Encrypts every token with the current key. Returns warnings for the operator about lost tokens. */
    async reseal(): Promise<readonly string[]> {
      const records = await table.sealed();
      let unreadable = 0;
      for (const { guildId, sealedToken } of records) {
        const renewed = secretBox?.renew(sealedToken, guildId);
        if (renewed === undefined) {
          unreadable += 1;
        } else if (renewed !== sealedToken) {
          await table.reseal(guildId, sealedToken, renewed);
        }
      }
      if (unreadable === 0) {
        return [];
      }
      const accounts = `${unreadable} of ${records.length} linked video accounts`;
      const problem =
        secretBox === undefined
          ? `SECRET_KEY is missing, so ${accounts} can't be used. Set the key that encrypted their tokens`
          : `SECRET_KEY doesn't decrypt the tokens of ${accounts}. Add the key that encrypted them to SECRET_KEY_OLD`;
      return [`${problem}; otherwise their servers have to link them again.`];
    },
    /** Notifies the server once. Does nothing if the service accepts the token when it is asked again. */
    async markBroken(guildId: string, key: AccountKey, because: VideoTrouble): Promise<void> {
      if (key === "operator") {
        operator.refused(because);
        return;
      }
      const record = await table.get(guildId);
      if (record === undefined || keyOf(record) !== key || record.brokenBecause !== undefined) {
        return;
      }
      // The refused token may have been replaced in the meantime, and a faulty service refuses valid tokens.
      if (!TOKEN_TROUBLES.has(because) || !(await accountCheck.isGood(record))) {
        await accountCheck.storeStatus(record, { brokenBecause: because });
      }
    },
    /** Checks accounts that have not been checked for a day. A token that expires within a week is announced once. */
    async checkDue(progress: () => void = () => undefined): Promise<void> {
      const dueMs = clock.now() - CHECK_EVERY_MS;
      for (const record of await table.checkedBefore(dueMs, MAX_CHECKS)) {
        // Otherwise a failed check could pass the announcement's time, and nobody would hear of the expiry.
        const fromMs = announceExpiryFrom(record);
        const unannouncedMs = record.checkedAtMs < fromMs ? fromMs - 1 : Infinity;
        await table.change(record, { checkedAtMs: Math.min(dueMs + CHECK_AGAIN_MS, unannouncedMs) });
        await accountCheck.check(record);
        progress();
      }
    },
  };
}

export type VideoAccounts = ReturnType<typeof createVideoAccounts>;

/** If the service refuses the account's token, marks the account as broken. Throws as the request does. */
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
  return new UserError(`${which} can't be used. ${accountTroubleWords(trouble)}`);
}

/** Real tokens have about 30 to 300 characters. */
const SHORTEST = 20;
const LONGEST = 2_000;
const QUOTES = /^["'`<“”‘’«»]+|["'`>“”‘’«»]+$/g;
/** What precedes the token if it was copied from a request. */
const TOKEN_PREFIX = /^(?:authorization:\s*)?(?:bearer\s+|oauth\s+|access_token\s*[=:]\s*)/i;

/** Throws a UserError, which does not repeat the text, if it cannot be a token. */
function readToken(typed: string): string {
  const token = typed.trim().replace(TOKEN_PREFIX, "").replace(QUOTES, "").trim();
  if (/^https?:\/\//i.test(token)) {
    throw new UserError("That's a web address, not an access token. Paste the token alone.");
  }
  // The token is sent in a header, so it consists of printable ASCII characters without blanks.
  if (!/^[!-~]+$/.test(token) || token.length < SHORTEST || token.length > LONGEST) {
    throw new UserError(
      "That isn't an access token. A token is one long string of letters and digits, without spaces. Copy all of it and try again.",
    );
  }
  return token;
}

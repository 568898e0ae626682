// The accounts that guilds publish with: their own, sealed in the database, or else the operator's.
import { VIDEO } from "../../clients/video/account.ts";
import type { VideoTrouble } from "../../clients/video/error-codes.ts";
import type { TokenOwner } from "../../clients/video/who-am-i.ts";
import { ServiceError, UserError } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import type { VideoAccountRecord, VideoAccountsTable } from "../../storage/video-accounts-table.ts";
import { explainBroken } from "./broken-account.ts";
import { announceFrom, createAccountCheck, type AccountCheckDependencies } from "./check-account.ts";
import { explainTokenRefusal, judgeOwner } from "./judge-token.ts";
import { createOperatorAccount } from "./operator-account.ts";
import { readToken } from "./read-token.ts";
import type { AccountKey, UsableAccount, VideoAccounts } from "./video-accounts.ts";

/** What the service stands on. */
export interface VideoAccountsDependencies extends AccountCheckDependencies {
  readonly table: VideoAccountsTable;
  /** `undefined`: only guilds' own accounts are used. */
  readonly operatorToken: string | undefined;
  readonly log: Log;
}

const CHECK_EVERY_MS = 24 * 3_600_000;
/** Where the service did not answer. */
const CHECK_AGAIN_MS = 3_600_000;
/** A broken one that somebody wants to use. */
const LOOK_AGAIN_MS = 60_000;
const MOST_CHECKS = 20;
/** What the service can be asked about again, since a token that it does not take is not taken anywhere. */
const ABOUT_TOKEN: ReadonlySet<VideoTrouble> = new Set(["token-dead", "needs-confirmation"]);

/** Makes the service. */
export function createVideoAccounts(deps: VideoAccountsDependencies): VideoAccounts {
  const { table, client, secretBox, operatorToken, rules, clock, log } = deps;
  const operator = createOperatorAccount(deps);
  const check = createAccountCheck(deps);

  function use(record: VideoAccountRecord): UsableAccount | undefined {
    const { accountId, name } = record;
    const token = check.unseal(record);
    return token === undefined ? undefined : { key: keyOf(record), account: { token, id: accountId }, name };
  }

  /** A broken account may have been mended at the service meanwhile. */
  async function lookAgain(record: VideoAccountRecord): Promise<VideoAccountRecord> {
    const nowMs = clock.now();
    if (record.brokenBecause === undefined || Math.abs(nowMs - record.checkedAtMs) < LOOK_AGAIN_MS) {
      return record;
    }
    // Before it is asked, so that a service that does not answer keeps nobody waiting again and again.
    await table.change(record, { checkedAtMs: nowMs });
    return passOver(() => check.look(record), record);
  }

  /** What fails by itself gets better by itself. */
  async function passOver<T>(act: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof ServiceError && error.service === VIDEO) {
        log.info({ service: VIDEO, kind: error.kind }, "a linked account could not be looked at");
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

  return {
    canLink: secretBox !== undefined,
    hasOperator: operatorToken !== undefined,
    async of(guildId) {
      const kept = await table.get(guildId);
      if (kept === undefined) {
        return operator.use();
      }
      const record = await lookAgain(kept);
      const account = use(record);
      // Never the operator's in its place: the video would come out somewhere else.
      if (account === undefined || record.brokenBecause !== undefined) {
        throw explainBroken(check.show(record));
      }
      return account;
    },
    async byKey(guildId, key) {
      if (key === "operator") {
        return operator.use();
      }
      const record = await table.get(guildId);
      return record !== undefined && keyOf(record) === key ? use(record) : undefined;
    },
    async linked(guildId) {
      const record = await table.get(guildId);
      return record && check.show(record);
    },
    async link(guildId, typed, actorId) {
      if (secretBox === undefined) {
        throw new UserError(
          "Accounts cannot be linked to this bot yet: the person who runs it has to set SECRET_KEY first, with which their tokens are locked away.",
        );
      }
      const token = readToken(typed);
      const owner = await askOwner(token);
      const nowMs = clock.now();
      const missing = judgeOwner(owner, nowMs);
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
      await rules.writeWith([act], async (lines) => {
        await table.put(record, lines);
        return true;
      });
      return check.show(record);
    },
    unlink: (guildId, actorId) =>
      rules.writeWith([{ guildId, actorId, act: "account-unlinked" }], (lines) =>
        table.remove(guildId, lines),
      ),
    async markBroken(guildId, key, because) {
      if (key === "operator") {
        operator.refused(because);
        return;
      }
      const record = await table.get(guildId);
      if (record === undefined || keyOf(record) !== key || record.brokenBecause !== undefined) {
        return;
      }
      // The refused token may have been replaced meanwhile, and a service out of order refuses good ones.
      if (!ABOUT_TOKEN.has(because) || (await check.isGood(record)) !== true) {
        await check.break(record, because);
      }
    },
    async checkDue(progress = () => undefined) {
      const dueMs = clock.now() - CHECK_EVERY_MS;
      for (const record of await table.checkedBefore(dueMs, MOST_CHECKS)) {
        // Until it was really looked at, that its token ends soon is still to be told.
        const fromMs = announceFrom(record) ?? Infinity;
        const untoldMs = record.checkedAtMs < fromMs ? fromMs - 1 : Infinity;
        await table.change(record, { checkedAtMs: Math.min(dueMs + CHECK_AGAIN_MS, untoldMs) });
        const looked = await passOver(() => check.look(record), undefined);
        if (looked !== undefined) {
          await check.announceEnd(looked, record.checkedAtMs);
        }
        progress();
      }
    },
  };
}

function keyOf({ accountId }: Pick<VideoAccountRecord, "accountId">): AccountKey {
  return `page:${accountId}`;
}

// Whether a linked account is still good: asked of the service, remembered, and told where it is not any more.
import type { VideoClient } from "../client/video-client.ts";
import type { VideoTrouble } from "../client/error-codes.ts";
import type { Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { VideoAccountRecord, VideoAccountsTable } from "../video-accounts-table.ts";
import { formatNonce } from "../../delivery/nonce.ts";
import type { VideoRules } from "../settings/video-settings.ts";
import { type NotifyAccount, parseBroken } from "./broken-account.ts";
import { findTokenTrouble } from "./judge-token.ts";
import type { LinkedAccount } from "./video-accounts.ts";
export interface AccountCheckDependencies {
  readonly table: Pick<VideoAccountsTable, "get" | "change">;
  readonly client: Pick<VideoClient, "whoAmI">;
  readonly secretBox: SecretBox | undefined;
  readonly rules: Pick<VideoRules, "changeWithAudit">;
  readonly notify: NotifyAccount;
  readonly clock: Clock;
}

/** Looks at accounts as they are kept. */
export interface AccountCheck {
  /** `undefined` where it cannot be opened: it was sealed with another key. */
  unseal(record: VideoAccountRecord): string | undefined;
  /** Without its token. One that cannot be opened counts as broken. */
  show(record: VideoAccountRecord): LinkedAccount;
  /** Asks the service, and gives the account as it is from then on. Throws ServiceError for what passes by itself. */
  look(record: VideoAccountRecord): Promise<VideoAccountRecord>;
  /** Remembers that it is broken, and tells its server, if nobody has yet. */
  break(record: VideoAccountRecord, because: VideoTrouble): Promise<void>;
  /** Tells its server that its token ends soon, at the first look since then. `seenAtMs`: when it was looked at before. */
  announceEnd(record: VideoAccountRecord, seenAtMs: number): Promise<void>;
  /** Whether the service takes its token; `undefined` while it does not say. */
  isGood(record: VideoAccountRecord): Promise<boolean | undefined>;
}

/** Long enough for somebody to find the time. */
const EARLY_MS = 7 * 86_400_000;

/** From when its server is to know that its token ends; `undefined` where that is not known. */
export function announceFrom({ endsAtMs }: Pick<VideoAccountRecord, "endsAtMs">): number | undefined {
  return endsAtMs === undefined ? undefined : endsAtMs - EARLY_MS;
}

export function createAccountCheck(deps: AccountCheckDependencies): AccountCheck {
  const { table, client, secretBox, rules, notify, clock } = deps;
  /** One break after another: of several that come at once the first one tells. */
  let breaking: Promise<unknown> = Promise.resolve();

  const unseal: AccountCheck["unseal"] = ({ guildId, sealedToken }) => secretBox?.open(sealedToken, guildId);

  function show(record: VideoAccountRecord): LinkedAccount {
    const { accountId, name, linkedBy, linkedAtMs, endsAtMs } = record;
    return {
      accountId,
      name,
      linkedBy,
      linkedAtMs,
      endsAtMs,
      brokenBecause: unseal(record) === undefined ? "token-dead" : parseBroken(record.brokenBecause),
      missing: record.missing.split(" ").filter((permission) => permission !== ""),
    };
  }

  async function breakNow(seen: VideoAccountRecord, because: VideoTrouble): Promise<void> {
    const { guildId, linkedAtMs } = seen;
    const record = await table.get(guildId);
    if (record?.linkedAtMs !== linkedAtMs || record.brokenBecause !== undefined) {
      return;
    }
    // It is told first: whoever dies in between meets the same refusal again, and tells it with the same nonce.
    const broken = { ...record, brokenBecause: because };
    const nonce = formatNonce("video-account-broken", guildId, linkedAtMs);
    await notify({ guildId, account: show(broken), nonce });
    const act = { guildId, actorId: undefined, act: "account-broken", note: because } as const;
    await rules.changeWithAudit([act], (lines) =>
      table.change(record, { brokenBecause: because, checkedAtMs: clock.now() }, lines),
    );
  }

  const check: AccountCheck = {
    unseal,
    show,
    async look(record) {
      const token = unseal(record);
      if (token === undefined) {
        return record;
      }
      const checkedAtMs = clock.now();
      try {
        const { name = record.name, endsAtMs } = await client.whoAmI({ token });
        const changes = { name, endsAtMs, brokenBecause: undefined, checkedAtMs };
        await table.change(record, changes);
        return { ...record, ...changes };
      } catch (error) {
        const because = error instanceof ServiceError ? findTokenTrouble(error) : undefined;
        if (because === undefined) {
          throw error;
        }
        await check.break(record, because);
        const changes = { brokenBecause: because, checkedAtMs };
        await table.change(record, changes);
        return { ...record, ...changes };
      }
    },
    break(record, because) {
      const broken = breaking.then(() => breakNow(record, because));
      breaking = broken.catch(() => undefined);
      return broken;
    },
    async announceEnd(record, seenAtMs) {
      const { guildId, endsAtMs = 0, brokenBecause } = record;
      const fromMs = announceFrom(record) ?? Infinity;
      const nowMs = clock.now();
      if (brokenBecause === undefined && seenAtMs < fromMs && fromMs <= nowMs && nowMs < endsAtMs) {
        const nonce = formatNonce("video-account-ends", guildId, endsAtMs);
        await notify({ guildId, account: show(record), nonce });
      }
    },
    async isGood(record) {
      const token = unseal(record);
      if (token === undefined) {
        return false;
      }
      try {
        await client.whoAmI({ token });
        return true;
      } catch (error) {
        if (error instanceof ServiceError) {
          return findTokenTrouble(error) === undefined ? undefined : false;
        }
        throw error;
      }
    },
  };
  return check;
}

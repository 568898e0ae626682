// Whether a linked account is still good: asked of the service, remembered, and announced where it is not any more.
import type { VideoTrouble } from "../client/error-codes.ts";
import { ServiceError } from "../../core/errors.ts";
import type { VideoAccountRecord } from "../video-accounts-table.ts";
import { formatNonce } from "../../delivery/nonce.ts";
import { parseBroken } from "./broken-account.ts";
import { findTokenTrouble } from "./judge-token.ts";
import type { LinkedAccount, VideoAccountsDependencies } from "./video-accounts.ts";

/** Long enough for somebody to find the time. */
const EARLY_MS = 7 * 86_400_000;

/** From when its server is to know that its token ends; `undefined` where that is not known. */
export function announceFrom({ endsAtMs }: Pick<VideoAccountRecord, "endsAtMs">): number | undefined {
  return endsAtMs === undefined ? undefined : endsAtMs - EARLY_MS;
}

/** Reads accounts as they are stored. */
export function createAccountCheck(deps: VideoAccountsDependencies) {
  const { table, client, secretBox, rules, notify, clock } = deps;
  /** One break after another: of several that come at once the first one tells. */
  let breaking: Promise<unknown> = Promise.resolve();

  /** `undefined` where it cannot be opened: it was sealed with another key. */
  const unseal = ({ guildId, sealedToken }: VideoAccountRecord): string | undefined =>
    secretBox?.open(sealedToken, guildId);

  /** Without its token. One that cannot be opened counts as broken. */
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
    // The notice comes first: a process that dies in between meets the same refusal again, and sends the same nonce.
    const broken = { ...record, brokenBecause: because };
    const nonce = formatNonce("video-account-broken", guildId, linkedAtMs);
    await notify({ guildId, account: show(broken), nonce });
    const act = { guildId, actorId: undefined, act: "account-broken", note: because } as const;
    await rules.changeWithAudit([act], (lines) =>
      table.change(record, { brokenBecause: because, checkedAtMs: clock.now() }, lines),
    );
  }

  /** Remembers that it is broken, and notifies its server, if nobody has yet. */
  function markBroken(record: VideoAccountRecord, because: VideoTrouble): Promise<void> {
    const broken = breaking.then(() => breakNow(record, because));
    breaking = broken.catch(() => undefined);
    return broken;
  }

  return {
    unseal,
    show,
    markBroken,
    /** Asks the service, and gives the account as it is from then on. Throws ServiceError for what passes by itself. */
    async check(record: VideoAccountRecord): Promise<VideoAccountRecord> {
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
        await markBroken(record, because);
        const changes = { brokenBecause: because, checkedAtMs };
        await table.change(record, changes);
        return { ...record, ...changes };
      }
    },
    /** Notifies its server that its token ends soon, at the first check since then. `seenAtMs`: of the check before. */
    async announceEnd(record: VideoAccountRecord, seenAtMs: number): Promise<void> {
      const { guildId, endsAtMs = 0, brokenBecause } = record;
      const fromMs = announceFrom(record) ?? Infinity;
      const nowMs = clock.now();
      if (brokenBecause === undefined && seenAtMs < fromMs && fromMs <= nowMs && nowMs < endsAtMs) {
        const nonce = formatNonce("video-account-ends", guildId, endsAtMs);
        await notify({ guildId, account: show(record), nonce });
      }
    },
    /** Whether the service takes its token; `undefined` while it does not say. */
    async isGood(record: VideoAccountRecord): Promise<boolean | undefined> {
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
}

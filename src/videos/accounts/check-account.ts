// Whether a linked account is still good: asked of the service, remembered, and announced where it is not any more.
import { z } from "zod";
import type { VideoTrouble } from "../client/refusal.ts";
import type { TokenOwner } from "../client/who-am-i.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import type { Messenger } from "../../core/ports.ts";
import type { Reply } from "../../core/reply.ts";
import type { VideoAccountRecord } from "../video-accounts-table.ts";
import { formatNonce } from "../../delivery/nonce.ts";
import { type TokenTrouble, findTokenTrouble } from "./judge-token.ts";
import type { LinkedAccount, VideoAccountsDependencies } from "./video-accounts.ts";

/** Long enough for somebody to find the time. */
const EARLY_MS = 7 * 86_400_000;

/** From when its server is to know that its token ends; `undefined` where that is not known. */
export function announceFrom({ endsAtMs }: Pick<VideoAccountRecord, "endsAtMs">): number | undefined {
  return endsAtMs === undefined ? undefined : endsAtMs - EARLY_MS;
}

/** What later versions know is a dead token to this one. */
const brokenSchema = z
  .enum(["token-dead", "needs-confirmation", "page-token-needed", "permission", "blocked"])
  .catch("token-dead")
  .optional();

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
      brokenBecause: unseal(record) === undefined ? "token-dead" : brokenSchema.parse(record.brokenBecause),
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

  /** Asks the service whose the token is; `because` where it does not take it. Throws ServiceError for what passes. */
  async function ask(token: string): Promise<{ because?: TokenTrouble; owner?: TokenOwner }> {
    try {
      return { owner: await client.whoAmI({ token }) };
    } catch (error) {
      const because = error instanceof ServiceError ? findTokenTrouble(error) : undefined;
      if (because === undefined) {
        throw error;
      }
      return { because };
    }
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
      const { because: brokenBecause, owner } = await ask(token);
      if (brokenBecause !== undefined) {
        await markBroken(record, brokenBecause);
      }
      const known = owner && { name: owner.name ?? record.name, endsAtMs: owner.endsAtMs };
      const changes = { ...known, brokenBecause, checkedAtMs };
      await table.change(record, changes);
      return { ...record, ...changes };
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
    /** Whether the service takes its token; no while it does not say. */
    async isGood(record: VideoAccountRecord): Promise<boolean> {
      try {
        const token = unseal(record);
        return token !== undefined && (await ask(token)).because === undefined;
      } catch (error) {
        if (error instanceof ServiceError) {
          return false;
        }
        throw error;
      }
    },
  };
}

export interface AccountNotice {
  readonly guildId: string;
  readonly account: LinkedAccount;
  /** The same for each try to send the same notice. */
  readonly nonce: string;
}

/** Notifies the server's notice channel, or else the person who linked the account. Never throws. */
export function createAccountNotifier({
  messenger,
  present,
  log,
}: {
  readonly messenger: Pick<Messenger, "noticeChannel" | "post" | "dm">;
  readonly present: (account: LinkedAccount) => Reply;
  readonly log: Log;
}) {
  return async ({ guildId, account, nonce }: AccountNotice): Promise<void> => {
    const { linkedBy } = account;
    const toServer = async () => {
      const channelId = await messenger.noticeChannel(guildId);
      return channelId && messenger.post(channelId, present(account), { nonce });
    };
    const toPerson = async () => linkedBy && messenger.dm(linkedBy, present(account), { nonce });
    for (const send of [toServer, toPerson]) {
      try {
        if ((await send()) !== undefined) {
          return;
        }
      } catch (error) {
        log.info({ error, guild: guildId }, "account notice failed");
      }
    }
    log.warn({ guild: guildId }, "account notice undelivered");
  };
}

import pLimit from "p-limit";
import { z } from "zod";
import { type VideoTrouble, VideoRefusal } from "../client/refusal.ts";
import { type TokenOwner, VIDEO, isVideoError } from "../client/account.ts";
import { ServiceError, UserError } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import type { Messenger } from "../../core/ports.ts";
import type { Reply } from "../../core/reply.ts";
import type { VideoAccountRecord } from "../video-accounts-table.ts";
import { formatNonce } from "../../delivery/deliver.ts";
import type { LinkedAccount, VideoAccountsDependencies } from "./video-accounts.ts";

/** How long before its expiry a token is announced: long enough for somebody to find the time. */
const EARLY_MS = 7 * 86_400_000;

/** The time from which the server should know that the token expires; `Infinity` if the expiry is unknown. */
export function announceExpiryFrom({ endsAtMs = Infinity }: Pick<VideoAccountRecord, "endsAtMs">): number {
  return endsAtMs - EARLY_MS;
}

/** A reason that only later versions of the bot know is treated as a dead token. */
const brokenSchema = z
  .enum(["token-dead", "needs-confirmation", "page-token-needed", "permission", "blocked"])
  .catch("token-dead")
  .optional();

export function createAccountCheck(deps: VideoAccountsDependencies) {
  const { table, client, secretBox, rules, notify, clock, log } = deps;
  /** Stores one status at a time, so that only one of several simultaneous checks notifies the server. */
  const inTurn = pLimit(1);

  /** `undefined` if the token cannot be decrypted, because it was sealed with another key. */
  const unseal = ({ guildId, sealedToken }: VideoAccountRecord): string | undefined =>
    secretBox?.open(sealedToken, guildId);

  function show(record: VideoAccountRecord): LinkedAccount {
    const { accountId, name, linkedBy, linkedAtMs, endsAtMs } = record;
    return {
      accountId,
      name,
      linkedBy,
      linkedAtMs,
      endsAtMs,
      brokenBecause: unseal(record) === undefined ? "unreadable" : brokenSchema.parse(record.brokenBecause),
      missing: record.missing.split(" ").filter((permission) => permission !== ""),
    };
  }

  /** `undefined` if the token cannot be read, or if the service itself fails, which says nothing about the token. */
  async function askStatus(record: VideoAccountRecord): Promise<TokenStatus | undefined> {
    const token = unseal(record);
    try {
      return token === undefined ? undefined : await readTokenStatus(client, token);
    } catch (error) {
      if (isVideoError(error)) {
        log.info({ service: VIDEO, kind: error.kind }, "account check failed");
        return undefined;
      }
      throw error;
    }
  }

  /** Notifies the server if the account is newly broken, or at the first check in its last week. */
  const storeStatus = (seen: VideoAccountRecord, status: TokenStatus): Promise<VideoAccountRecord> =>
    inTurn(async () => {
      const { guildId, linkedAtMs } = seen;
      const record = await table.get(guildId);
      if (record?.linkedAtMs !== linkedAtMs) {
        return seen;
      }
      const nowMs = clock.now();
      const { name, ...rest } = status;
      const changes = { ...rest, ...(name !== undefined && { name }), checkedAtMs: nowMs };
      const after = { ...record, ...changes };
      const { brokenBecause, endsAtMs = Infinity } = after;
      const isBroken = brokenBecause !== undefined;
      const isNewlyBroken = isBroken && record.brokenBecause === undefined;
      const fromMs = announceExpiryFrom(after);
      const endsSoon = !isBroken && seen.checkedAtMs < fromMs && fromMs <= nowMs && nowMs < endsAtMs;
      // The notice is sent first. If the process dies in between, the next check repeats it with the same nonce.
      if (isNewlyBroken || endsSoon) {
        const nonce = isBroken
          ? formatNonce("video-account-broken", guildId, linkedAtMs)
          : formatNonce("video-account-ends", guildId, endsAtMs);
        await notify({ guildId, account: show(after), nonce });
      }
      const entry = { guildId, act: "account-broken", note: brokenBecause } as const;
      await rules.changeWithAudit(isNewlyBroken ? [entry] : [], (lines) =>
        table.change(record, changes, lines),
      );
      return after;
    });

  return {
    unseal,
    show,
    storeStatus,
    /** Returns the account as it then is. */
    async check(record: VideoAccountRecord): Promise<VideoAccountRecord> {
      const status = await askStatus(record);
      return status === undefined ? record : storeStatus(record, status);
    },
    async isGood(record: VideoAccountRecord): Promise<boolean> {
      const status = await askStatus(record);
      return status !== undefined && status.brokenBecause === undefined;
    },
  };
}

/** Absent values are unknown: the stored ones stay. */
type TokenStatus = Pick<VideoAccountRecord, "brokenBecause"> &
  Partial<Pick<VideoAccountRecord, "name" | "endsAtMs">>;

/** Throws a ServiceError if the service fails temporarily. */
export async function readTokenStatus(
  client: VideoAccountsDependencies["client"],
  token: string,
): Promise<TokenStatus> {
  try {
    const { name, endsAtMs } = await client.whoAmI({ token });
    return { name, endsAtMs, brokenBecause: undefined };
  } catch (error) {
    const brokenBecause = error instanceof ServiceError ? findTokenTrouble(error) : undefined;
    if (brokenBecause === undefined) {
      throw error;
    }
    return { brokenBecause };
  }
}

export interface AccountNotice {
  readonly guildId: string;
  readonly account: LinkedAccount;
  /** The same for each attempt to send the same notice. */
  readonly nonce: string;
}

/** Notifies the server's notice channel, or else the person who linked the account. Never throws. */
export function createAccountNotifier(deps: {
  readonly messenger: Pick<Messenger, "noticeChannel" | "post" | "dm">;
  readonly present: (account: LinkedAccount) => Reply;
  readonly log: Log;
}) {
  const { messenger, present, log } = deps;
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

// Decides from the service's answer whether an account can publish, and explains why not.

/** Either of these is enough: the public service uses the first, the specification the second. */
const PUBLISHING_PERMISSIONS = ["pages_manage_posts", "video_upload"];
/** The additional permissions for managing videos. If a service uses other names, nothing can be said about them. */
const MANAGEMENT_PERMISSIONS = [
  "pages_read_engagement",
  "pages_manage_engagement",
  "pages_read_user_content",
  "read_insights",
];

const TOKEN_INVALID =
  "The video service doesn't accept that token: it has expired, was withdrawn, or part of it is missing. Make a new one, copy all of it and try again.";
const NOT_A_PAGES =
  "That's the access token of a person or of an application, and only a Page can publish. Ask the video service's developer tools for `me/accounts` with a person's token: the answer lists their Pages, each with an `access_token` of its own. Link that one.";

const lacksPermission = (permission: string): string =>
  `That token can't publish videos: it lacks the permission \`${permission}\`. Make a new one that has it, and link that.`;

export function checkCanPublish(
  { kind, permissions, endsAtMs }: TokenOwner,
  nowMs: number,
): readonly string[] {
  if (endsAtMs !== undefined && endsAtMs <= nowMs) {
    throw new UserError(TOKEN_INVALID);
  }
  if (kind === "person" || kind === "other") {
    throw new UserError(NOT_A_PAGES);
  }
  if (permissions === undefined) {
    return [];
  }
  if (!PUBLISHING_PERMISSIONS.some((name) => permissions.includes(name))) {
    throw new UserError(lacksPermission("pages_manage_posts"));
  }
  const hasKnownNames = permissions.some((name) => name.startsWith("pages_"));
  return hasKnownNames ? MANAGEMENT_PERMISSIONS.filter((name) => !permissions.includes(name)) : [];
}

/** Explains the service's refusal of a token to the person who pasted it; `undefined` for temporary failures. */
export function explainTokenRefusal(error: unknown): UserError | undefined {
  if (!(error instanceof ServiceError)) {
    return undefined;
  }
  if (error.kind === "rejected") {
    // The request contains nothing but the token, so nothing else can be wrong with it.
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
    "token-dead": TOKEN_INVALID,
  };
  return trouble && new UserError(sentences[trouble]);
}

/** The troubles of a token that make its account unusable. */
type TokenTrouble = Extract<
  VideoTrouble,
  "token-dead" | "needs-confirmation" | "page-token-needed" | "permission"
>;

function findTokenTrouble(error: ServiceError): TokenTrouble | undefined {
  const trouble = error instanceof VideoRefusal ? error.trouble : undefined;
  if (error.kind === "unauthorised") {
    return trouble === "needs-confirmation" ? trouble : "token-dead";
  }
  if (error.kind === "not-permitted") {
    return trouble === "page-token-needed" ? trouble : "permission";
  }
  return error.kind === "rejected" || error.kind === "not-found" ? "token-dead" : undefined;
}

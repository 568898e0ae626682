// An account that the service no longer takes: how that is stored, and what people read.
import { z } from "zod";
import type { VideoTrouble } from "../client/error-codes.ts";
import { UserError } from "../../core/errors.ts";
import { quoteText } from "../../core/text.ts";
import type { LinkedAccount } from "./video-accounts.ts";
import type { Log } from "../../core/log.ts";
import type { Reply } from "../../core/reply.ts";
import { type Messenger, MessengerError } from "../../core/ports.ts";

const brokenSchema = z.enum([
  "token-dead",
  "needs-confirmation",
  "page-token-needed",
  "permission",
  "blocked",
]);

/** Reads why an account is broken; what later versions know is a dead token to this one. */
export function parseBroken(because: string | undefined): VideoTrouble | undefined {
  return because === undefined ? undefined : (brokenSchema.safeParse(because).data ?? "token-dead");
}

/** What to do, beyond a token that is no longer good. `which` begins the sentence. */
const SENTENCES: Partial<Record<VideoTrouble, (which: string) => string>> = {
  "needs-confirmation": (which) =>
    `${which} waits for its owner: they have to log in at the video service and confirm something there. After that, please try again.`,
  "page-token-needed": (which) =>
    `${which} needs a Page's access token. Link one with \`/video account link\`.`,
  permission: (which) =>
    `${which} lacks a permission. Make an access token that has it, and link it with \`/video account link\`.`,
  blocked: (which) =>
    `${which} is barred from acting for some hours, by the video service. Please try again tomorrow.`,
};

/** Why nobody can use it, and how to fix that. */
export function explainBroken({
  name,
  brokenBecause = "token-dead",
}: Pick<LinkedAccount, "name" | "brokenBecause">): UserError {
  const which = name === undefined ? "This server's video account" : `The video account “${quoteText(name)}”`;
  const say = SENTENCES[brokenBecause];
  return new UserError(
    say?.(which) ??
      `${which} must be linked again: its access token is no longer good. Make a new one, and use \`/video account link\`.`,
  );
}

// Notices to people of a server about its account.

/** A notice that a server's account has just broken, or that its token ends soon. */
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
  async function reaches(guildId: string, send: () => Promise<unknown>): Promise<boolean> {
    try {
      return (await send()) !== undefined;
    } catch (error) {
      if (!(error instanceof MessengerError)) {
        log.error({ error, guild: guildId }, "account notice failed");
      }
      return false;
    }
  }

  return async ({ guildId, account, nonce }: AccountNotice): Promise<void> => {
    const { linkedBy } = account;
    const isNotified =
      (await reaches(guildId, async () => {
        const channelId = await messenger.noticeChannel(guildId);
        return channelId && messenger.post(channelId, present(account), { nonce });
      })) ||
      (linkedBy !== undefined &&
        (await reaches(guildId, () => messenger.dm(linkedBy, present(account), { nonce }))));
    if (!isNotified) {
      log.warn({ guild: guildId }, "account notice undelivered");
    }
  };
}

export type NotifyAccount = ReturnType<typeof createAccountNotifier>;

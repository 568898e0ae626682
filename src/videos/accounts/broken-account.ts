// An account that the service no longer takes: how that is kept, and what people are told.
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

/** What stands in the way of whoever wants to act with it, and how to clear it. */
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

// Tells people of a server what they have to know of its account.

/** What a server is to hear of its account: that it has just broken, or that its token ends soon. */
export interface AccountNotice {
  readonly guildId: string;
  readonly account: LinkedAccount;
  /** The same for each try to tell the same. */
  readonly nonce: string;
}

/** Tells a server. Never throws. */
export type NotifyAccount = (notice: AccountNotice) => Promise<void>;

export interface NotifierDependencies {
  readonly messenger: Pick<Messenger, "noticeChannel" | "post" | "dm">;
  /** A view that whoever composes hands over. */
  readonly present: (account: LinkedAccount) => Reply;
  readonly log: Log;
}

/** Tells the server's notice channel, or else whoever linked the account. */
export function createAccountNotifier({ messenger, present, log }: NotifierDependencies): NotifyAccount {
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

  return async ({ guildId, account, nonce }) => {
    const { linkedBy } = account;
    const isTold =
      (await reaches(guildId, async () => {
        const channelId = await messenger.noticeChannel(guildId);
        return channelId && messenger.post(channelId, present(account), { nonce });
      })) ||
      (linkedBy !== undefined &&
        (await reaches(guildId, () => messenger.dm(linkedBy, present(account), { nonce }))));
    if (!isTold) {
      log.warn({ guild: guildId }, "account notice undelivered");
    }
  };
}

// Tells people of a server what they have to know of its account.
import type { Log } from "../../core/log.ts";
import type { Reply } from "../../core/reply.ts";
import { MessengerError, type Messenger } from "../../core/ports.ts";
import type { LinkedAccount } from "./video-accounts.ts";

/** What a server is to hear of its account: that it has just broken, or that its token ends soon. */
export interface AccountNotice {
  readonly guildId: string;
  readonly account: LinkedAccount;
  /** The same for each try to tell the same. */
  readonly nonce: string;
}

/** Tells a server. Never throws. */
export type NotifyAccount = (notice: AccountNotice) => Promise<void>;

/** What telling stands on. */
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
        log.error({ error, guild: guildId }, "a notice about a video account could not be sent");
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
      log.warn({ guild: guildId }, "nobody could be told that the server's video account needs them");
    }
  };
}

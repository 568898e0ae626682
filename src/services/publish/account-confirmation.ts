// The account that a publication goes out with is the one that people saw. Where that was unlinked since, another one
// does not simply take its place: it is named first, and whoever pressed has to press again. So it is with everything
// that sends; what goes on by itself, e.g. at its time, fails instead, and says why.
import { UserError } from "../../core/errors.ts";
import { quoteText } from "../../core/quote-text.ts";
import type { PublicationChanges, PublicationRecord } from "../../storage/publications-table.ts";
import type { Altered } from "./alter-publication.ts";
import type { PublishDependencies } from "./publish-dependencies.ts";

/** Asked before anything that sends. */
export interface AccountConfirmation {
  /**
   * What puts the account that the server publishes with now in place of one that was unlinked, and nothing else;
   * `undefined` where that is not so. Throws UserError where the server has none that can be used.
   */
  check(record: PublicationRecord): Promise<PublicationChanges | undefined>;
  /** Throws UserError, which names the account, where that is all that was done. */
  announce(altered: Altered): Promise<void>;
}

/** Makes it. */
export function createAccountConfirmation({
  accounts,
  clock,
}: Pick<PublishDependencies, "accounts" | "clock">): AccountConfirmation {
  return {
    async check({ guildId, account: key }) {
      if ((await accounts.byKey(guildId, key)) !== undefined) {
        return undefined;
      }
      const account = await accounts.of(guildId);
      if (account === undefined) {
        throw new UserError(
          "The account that this was to be published with is no longer linked. Link one with `/video account link` first.",
        );
      }
      const nowMs = clock.now();
      // What was begun there stays there, and who approved it approved the other account. The moment makes Approve on
      // what was shown before worth nothing.
      const anew = { session: undefined, videoId: undefined, decidedBy: undefined };
      return { account: account.key, ...anew, stateAtMs: nowMs, nextAtMs: nowMs };
    },
    async announce({ before, after }) {
      if (before.account === after.account) {
        return;
      }
      const name = (await accounts.byKey(after.guildId, after.account))?.name;
      const quoted = name === undefined ? "" : `“${quoteText(name)}”`;
      const which =
        after.account !== "operator"
          ? quoted || "the account that is linked now"
          : `the bot's own account${quoted && `, ${quoted}`}`;
      throw new UserError(
        `The account that this was to be published with is no longer linked. It would now go out with ${which}: if that is right, press once more.`,
      );
    },
  };
}

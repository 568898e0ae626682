import { textReply, type Reply } from "../../../src/core/reply.ts";
import { defineCommand } from "../../../src/discord/define.ts";
import type { Context } from "../../../src/discord/define/context.ts";
import { guildOf } from "../../../src/videos/settings/video-actors.ts";
import { unlinkedView, confirmUnlinkView } from "../../../src/videos/video-account-view.ts";

async function ask({ services: { videoAccounts }, where }: Context<"videoAccounts">): Promise<Reply> {
  const guildId = guildOf(where);
  const linked = await videoAccounts.linked(guildId);
  return linked === undefined
    ? unlinkedView(false)
    : confirmUnlinkView(linked, videoAccounts.mayUseOperator(guildId));
}

export default defineCommand({
  description: "Forget this server's own account, and erase its token",
  needs: ["videoAccounts", "videoActors"],
  defer: "private",
  run: ask,
  buttons: {
    ask: { run: ask },
    unlink: {
      async run({ services: { videoAccounts, videoActors }, where, caller }) {
        const { guildId } = await videoActors.manager({ caller, where }, "unlink the account");
        return unlinkedView(await videoAccounts.unlink(guildId, caller.id));
      },
    },
    keep: { run: () => textReply("All right, it stays linked.", "private") },
  },
});

import { textReply, type Reply } from "../../../src/core/reply.ts";
import { defineCommand } from "../../../src/discord/define.ts";
import type { Context } from "../../../src/discord/define/context.ts";
import { guildOf } from "../../../src/videos/settings/video-rules.ts";
import { unlinkArgs } from "../../../src/videos/video-args.ts";
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
      args: unlinkArgs,
      async run({ args: { linkedAtMs }, ...context }) {
        const { videoAccounts, videoActors } = context.services;
        const { guildId } = await videoActors.manager(context, "unlink the account");
        // Somebody may have linked another account since the question.
        return linkedAtMs !== undefined &&
          (await videoAccounts.unlink({ guildId, linkedAtMs }, context.caller.id))
          ? unlinkedView(true)
          : ask(context);
      },
    },
    keep: { run: () => textReply("All right, it stays linked.", "private") },
  },
});

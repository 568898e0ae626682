import { defineCommand } from "../../../src/discord/define.ts";
import { guildOf } from "../../../src/videos/settings/video-rules.ts";
import { accountView } from "../../../src/videos/video-account-view.ts";

export default defineCommand({
  description: "See which account this server publishes with",
  needs: ["videoAccounts"],
  defer: "private",
  async run({ services: { videoAccounts }, where }) {
    const guildId = guildOf(where);
    return accountView({
      linked: await videoAccounts.linked(guildId),
      mayUseOperator: videoAccounts.mayUseOperator(guildId),
      canLink: videoAccounts.canLink,
    });
  },
});

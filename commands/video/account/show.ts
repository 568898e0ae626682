import { defineCommand } from "../../../src/discord/define.ts";
import { guildOf } from "../../../src/services/video-actors/video-actors.ts";
import { accountView } from "../../../src/views/video-account-view.ts";

export default defineCommand({
  description: "See which account this server publishes with",
  needs: ["videoAccounts"],
  defer: "private",
  async run({ services: { videoAccounts }, where }) {
    const linked = await videoAccounts.linked(guildOf(where));
    const { hasOperator, canLink } = videoAccounts;
    return accountView({ linked, hasOperator, canLink });
  },
});

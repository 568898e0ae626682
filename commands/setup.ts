import { UserError } from "../src/core/errors.ts";
import { defineCommand } from "../src/discord/define.ts";
import { setupView } from "../src/operations/setup-view.ts";

export default defineCommand({
  description: "Set me up in this server, step by step",
  default: "ManageGuild",
  contexts: ["guild"],
  defer: "private",
  needs: ["readSetup"],
  async run({ services, where }) {
    if (where.guildId === undefined) {
      throw new UserError("Please use this in a server.");
    }
    return setupView(await services.readSetup(where.guildId));
  },
});

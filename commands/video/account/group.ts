import { defineSubcommandGroup } from "../../../src/discord/define.ts";

export default defineSubcommandGroup({
  description: "See, link or unlink the account that this server publishes with",
});

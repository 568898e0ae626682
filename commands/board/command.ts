import { defineCommandGroup } from "../../src/discord/define.ts";

export default defineCommandGroup({
  description: "Keep departure boards in channels of this server",
  default: "ManageGuild",
  contexts: ["guild"],
});

import { defineCommandGroup } from "../../src/discord/define.ts";

export default defineCommandGroup({
  description: "Publish and manage this server's videos",
  default: "ManageGuild",
  contexts: ["guild"],
});
